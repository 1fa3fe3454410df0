#include "harness/stores/servers.h"

#include <fmt/format.h>

#include <algorithm>

#include "harness/kernel/require.h"

namespace holdfast {

std::vector<ProcessId> Servers::followers(ProcessId) const {
  return {};
}

bool Servers::can(ServerAction, std::size_t) const {
  return false;
}

void Servers::act(ServerAction, std::size_t) {
  require(false, "servers are only told to do what they can");
}

std::vector<ProcessId> Servers::all_members() const {
  std::vector<ProcessId> all;
  for (std::size_t server = 0; server < count(); ++server) {
    const std::vector<ProcessId> theirs = members(server);
    all.insert(all.end(), theirs.begin(), theirs.end());
  }
  return all;
}

std::size_t Servers::server_of(ProcessId process) const {
  for (std::size_t server = 0; server < count(); ++server) {
    if (std::ranges::count(members(server), process) > 0) {
      return server;
    }
  }
  return 0;
}

std::string member_name(std::string_view store, std::size_t servers, std::size_t server, std::size_t member) {
  require(server < servers, "a member is of one of the servers");
  const std::string base = servers == 1 ? std::string(store) : fmt::format("{}-{}", store, server + 1);
  return member == 0 ? base : fmt::format("{}-{}", base, static_cast<char>('a' + member));
}

}  // namespace holdfast
