#include "harness/stores/redis/server/live/redis_user_servers.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "harness/machine/process/live_error.h"
#include "harness/stores/redis/server/live/visit.h"
#include "harness/stores/redis/wire/redis_wire.h"
#include "harness/text/text_width.h"

namespace holdfast::live {

using boost::asio::ip::tcp;

RedisUserServers::RedisUserServers(const std::vector<std::string>& endpoints, std::string password,
                                   std::string mark)
    : password_(std::move(password)), mark_(std::move(mark)) {
  std::vector<std::string> identities;
  KeyKeeperSetup setup{.endpoints = {}, .password = password_, .mark = mark_};
  for (const std::string& each : endpoints) {
    const tcp::endpoint endpoint = resolved_endpoint(each);
    Visit visit(endpoint, password_);
    const std::string identity = visit.identity();
    for (std::size_t other = 0; other < endpoints_.size(); ++other) {
      if (endpoints_[other] == endpoint || (!identity.empty() && identities[other] == identity)) {
        throw LiveError(
            fmt::format("{} and {} are the same server: a lock that needs several needs different ones.",
                        printable(endpoints[other]), printable(each)));
      }
    }
    endpoints_.push_back(endpoint);
    identities.push_back(identity);
    setup.endpoints.push_back(visit.name());
    text_ += (text_.empty() ? "" : ", ") + visit.name();
  }
  keeper_.emplace(setup);
}

RedisUserServers::~RedisUserServers() = default;

// Clients that nobody answers go on and on, and would be told as safe.
void RedisUserServers::look_at_the_end() {
  for (const tcp::endpoint& endpoint : endpoints_) {
    const Visit visit(endpoint, password_);
  }
}

std::unique_ptr<Wire> RedisUserServers::make_wire() {
  return std::make_unique<RedisWire>(
      RedisWireOptions{.password = password_, .heard = [this](const redis::Command& command) {
                         for (const std::string& word : command) {
                           keeper_->note(word);
                         }
                       }});
}

}  // namespace holdfast::live
