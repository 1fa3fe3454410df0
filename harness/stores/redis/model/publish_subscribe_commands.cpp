// PUBLISH, SUBSCRIBE, UNSUBSCRIBE.
//
// A server confirms each channel with a message of its own. The seam has one reply per command, so
// one channel gives that message, ["subscribe", channel, count], and several an array of them.
#include "harness/stores/redis/model/commands.h"
#include "harness/stores/redis/model/server.h"

namespace holdfast::redis::commands {
namespace {

Reply confirmation(std::string_view kind, Reply channel, std::size_t count) {
  return Reply::array(
      {Reply::bulk(std::string(kind)), std::move(channel), Reply::integer(static_cast<std::int64_t>(count))});
}

Reply one_or_all(std::vector<Reply> confirmations) {
  if (confirmations.size() == 1) return std::move(confirmations.front());
  return Reply::array(std::move(confirmations));
}

}  // namespace

Reply publish(Call& call) {
  call.server.note_published();
  return Reply::integer(call.server.subscriptions().publish(call.word(1), call.word(2), call.pushes));
}

Reply subscribe(Call& call) {
  Subscriptions& subscriptions = call.server.subscriptions();
  std::vector<Reply> confirmations;
  for (std::size_t index = 1; index < call.size(); ++index) {
    subscriptions.subscribe(call.connection, call.word(index));
    confirmations.push_back(
        confirmation("subscribe", Reply::bulk(call.word(index)), subscriptions.count(call.connection)));
  }
  return one_or_all(std::move(confirmations));
}

Reply unsubscribe(Call& call) {
  Subscriptions& subscriptions = call.server.subscriptions();
  std::vector<std::string> channels(call.words.begin() + 1, call.words.end());
  if (channels.empty()) channels = subscriptions.channels(call.connection);
  if (channels.empty()) return confirmation("unsubscribe", Reply::nil(), 0);
  std::vector<Reply> confirmations;
  for (const std::string& channel : channels) {
    subscriptions.unsubscribe(call.connection, channel);
    confirmations.push_back(
        confirmation("unsubscribe", Reply::bulk(channel), subscriptions.count(call.connection)));
  }
  return one_or_all(std::move(confirmations));
}

}  // namespace holdfast::redis::commands
