// What a store does that has no servers, or none of that kind.
#include "harness/stores/store.h"

#include "harness/kernel/require.h"
#include "harness/stores/bench_servers.h"
#include "harness/stores/live_servers.h"
#include "harness/stores/mutation.h"

namespace holdfast {

std::unique_ptr<CallWatch> Store::watch_calls() const {
  return nullptr;
}

std::unique_ptr<Servers> Store::reach_servers(const ServersContext&, live::Poller&, const Reach&) const {
  return nullptr;
}

std::unique_ptr<RealServers> Store::start_real(const live::ServerPrograms&) const {
  return nullptr;
}

std::unique_ptr<live::LiveServers> Store::start_live(const live::LiveServersSetup&) const {
  return nullptr;
}

std::unique_ptr<live::BenchServers> Store::start_bench(const ServersPlan&,
                                                       const live::ServerPrograms&) const {
  return nullptr;
}

double Store::bare_rate(RealServers&, std::uint64_t) const {
  require(false, "only real servers are asked how fast they are");
  return 0;
}

std::unique_ptr<live::UserServers> Store::attach(const std::vector<std::string>&, const std::string&) const {
  require(false, "only a store that can be attached to is attached to");
  return nullptr;
}

live::ClearedServer Store::clear(const std::string&, const std::string&) const {
  require(false, "only a store that can be attached to is cleared");
  return {};
}

}  // namespace holdfast
