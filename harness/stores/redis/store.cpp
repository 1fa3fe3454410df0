// Redis, as the rest of holdfast sees it.
#include "harness/stores/store.h"

#include <algorithm>

#include "harness/stores/redis/cluster.h"
#include "harness/stores/redis/error_kind.h"
#include "harness/stores/redis/model/model_nodes.h"
#include "harness/stores/redis/mutate/call_watch.h"
#include "harness/stores/redis/server/bench/bare_loop.h"
#include "harness/stores/redis/server/bench/redis_bench_servers.h"
#include "harness/stores/redis/server/live/redis_live_servers.h"
#include "harness/stores/redis/server/live/redis_user_servers.h"
#include "harness/stores/redis/server/live/visit.h"
#include "harness/stores/redis/server/reached_servers.h"
#include "harness/stores/redis/server/real_nodes.h"

namespace holdfast {
namespace redis {
namespace {

// A base, because a Cluster wants what it refers to to be there before it and after it.
struct OwnModels {
  ModelNodes models;
};

class OwnCluster final : private OwnModels, public Cluster {
 public:
  OwnCluster(const ServersContext& context, NodeMaker* real)
      : Cluster(context, real != nullptr ? *real : models) {}
};

class RedisStore final : public Store {
 public:
  std::string_view id() const override { return Client::store_id; }
  std::string_view title() const override { return "Redis"; }
  std::span<const Option> options() const override { return topology_options; }
  const Option* replicas() const override { return &replicas_option; }
  const Option* replication_lag() const override { return &replication_lag_option; }

  bool is_call_name(std::string_view name) const override {
    return std::ranges::all_of(name, [](char c) { return c >= 'A' && c <= 'Z'; });
  }
  std::string_view call_name_text() const override {
    return "a Redis command in capitals, such as \"SETNX\"";
  }

  std::string_view call_name_pattern() const override { return "[A-Z]+"; }

  std::unique_ptr<CallWatch> watch_calls() const override { return std::make_unique<RedisCallWatch>(); }

  std::unique_ptr<Servers> make_servers(const ServersContext& context, RealServers* real) const override {
    return std::make_unique<OwnCluster>(context, static_cast<live::RealNodes*>(real));
  }
  std::unique_ptr<Servers> reach_servers(const ServersContext& context, live::Poller& poller,
                                         const Reach& reach) const override {
    return std::make_unique<live::ReachedServers>(context, poller, reach);
  }
  std::unique_ptr<RealServers> start_real(const live::ServerPrograms& programs) const override {
    return std::make_unique<live::RealNodes>(program(programs));
  }
  std::vector<std::string> program_names() const override { return live::redis_program_names(); }

  std::unique_ptr<live::LiveServers> start_live(const live::LiveServersSetup& setup) const override {
    return std::make_unique<live::RedisLiveServers>(setup);
  }
  std::string_view own_failover() const override { return "Sentinels"; }

  bool can_be_attached() const override { return true; }
  // Where redis-cli looks for it too. On the command line everybody on the machine could read it.
  std::string_view password_variable() const override { return "REDISCLI_AUTH"; }
  std::unique_ptr<live::UserServers> attach(const std::vector<std::string>& endpoints,
                                            const std::string& password) const override {
    return std::make_unique<live::RedisUserServers>(endpoints, password, live::new_mark());
  }
  live::ClearedServer clear(const std::string& endpoint, const std::string& password) const override {
    return live::clear_marked_keys(endpoint, password);
  }
  std::string_view left_thing() const override { return "key"; }

  std::unique_ptr<live::BenchServers> start_bench(const ServersPlan& plan,
                                                  const live::ServerPrograms& programs) const override {
    return std::make_unique<live::RedisBenchServers>(plan, program(programs));
  }
  double bare_rate(RealServers& real, std::uint64_t requests) const override {
    return bare_commands_per_second(static_cast<live::RealNodes&>(real), requests);
  }

  std::string with_errors_by_kind(std::string_view text) const override {
    return redis::with_errors_by_kind(text);
  }

 private:
  static live::ServerProgram program(const live::ServerPrograms& programs) {
    return live::program_for(programs, Client::store_id, live::redis_program_names().front());
  }
};

}  // namespace
}  // namespace redis

const Store& redis_store() {
  static const redis::RedisStore store;
  return store;
}

}  // namespace holdfast
