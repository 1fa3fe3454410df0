#include "harness/stores/redis/model/subscriptions.h"

#include <algorithm>

namespace holdfast::redis {

void Subscriptions::subscribe(ConnectionId connection, std::string_view channel) {
  std::vector<std::string>& mine = channels_[connection];
  if (std::ranges::find(mine, channel) != mine.end()) return;
  mine.emplace_back(channel);
  receivers_.try_emplace(std::string(channel)).first->second.push_back(connection);
}

void Subscriptions::unsubscribe(ConnectionId connection, std::string_view channel) {
  const auto mine = channels_.find(connection);
  const auto receivers = receivers_.find(channel);
  if (mine == channels_.end() || receivers == receivers_.end()) return;
  std::erase(receivers->second, connection);
  if (receivers->second.empty()) receivers_.erase(receivers);
  std::erase(mine->second, channel);
  if (mine->second.empty()) channels_.erase(mine);
}

void Subscriptions::disconnect(ConnectionId connection) {
  if (channels_.empty()) return;
  for (const std::string& channel : channels(connection)) unsubscribe(connection, channel);
}

void Subscriptions::clear() {
  receivers_.clear();
  channels_.clear();
}

std::size_t Subscriptions::count(ConnectionId connection) const {
  if (channels_.empty()) return 0;
  const auto mine = channels_.find(connection);
  return mine == channels_.end() ? 0 : mine->second.size();
}

std::vector<std::string> Subscriptions::channels(ConnectionId connection) const {
  const auto mine = channels_.find(connection);
  return mine == channels_.end() ? std::vector<std::string>{} : mine->second;
}

std::int64_t Subscriptions::publish(std::string_view channel, std::string_view payload,
                                    std::vector<Push>& pushes) const {
  const auto receivers = receivers_.find(channel);
  if (receivers == receivers_.end()) return 0;
  for (const ConnectionId connection : receivers->second) {
    pushes.push_back({connection, std::string(channel), std::string(payload)});
  }
  return static_cast<std::int64_t>(receivers->second.size());
}

}  // namespace holdfast::redis
