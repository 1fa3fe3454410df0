#include "harness/stores/redis/server/user_servers.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "harness/machine/process/live_error.h"
#include "harness/stores/redis/server/visit.h"
#include "harness/stores/redis/wire/resp.h"
#include "harness/text/text_width.h"

namespace holdfast::live {

using boost::asio::ip::tcp;

UserServers::UserServers(const std::vector<std::string>& endpoints, std::string password, std::string mark)
    : password_(std::move(password)) {
  std::vector<std::string> identities;
  KeyKeeperSetup setup{.endpoints = {}, .password = password_, .mark = std::move(mark)};
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

UserServers::~UserServers() = default;

void UserServers::note_words(const redis::Command& command) {
  for (const std::string& word : command) {
    keeper_->note(word);
  }
}

std::string UserServers::greeting() const {
  return password_.empty() ? "" : to_resp(redis::make_command("AUTH", password_));
}

}  // namespace holdfast::live
