// Redis, as the rest of holdfast sees it.
#include "harness/stores/store.h"

#include <algorithm>
#include <utility>

#include "harness/stores/redis/cluster.h"
#include "harness/stores/redis/error_kind.h"
#include "harness/stores/redis/model/model_factory.h"
#include "harness/stores/redis/server/reached_servers.h"
#include "harness/stores/redis/server/warp_factory.h"

namespace holdfast {
namespace redis {
namespace {

// A base, because a Cluster wants what it refers to to be there before it and after it.
struct ClusterParts {
  explicit ClusterParts(const ServersContext& context)
      : calls(context.kernel, context.network, context.steps) {}
  RedisCalls calls;
  ModelFactory models;
};

class OwnCluster final : private ClusterParts, public Cluster {
 public:
  OwnCluster(const ServersContext& context, BackendFactory* real)
      : ClusterParts(context),
        Cluster(context.kernel, context.network, ClusterParts::calls, real != nullptr ? *real : models) {}
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

  std::unique_ptr<Servers> make_servers(const ServersContext& context, RealServers* real) const override {
    return std::make_unique<OwnCluster>(context, static_cast<live::WarpFactory*>(real));
  }
  std::unique_ptr<Servers> reach_servers(const ServersContext& context, live::Poller& poller,
                                         std::vector<std::vector<live::Endpoint>> endpoints) const override {
    return std::make_unique<live::ReachedServers>(context, poller, std::move(endpoints));
  }
  std::unique_ptr<RealServers> start_real(const live::ServerPrograms& programs) const override {
    return std::make_unique<live::WarpFactory>(
        live::program_for(programs, id(), live::redis_program_names().front()));
  }
  std::vector<std::string> program_names() const override { return live::redis_program_names(); }
  std::string with_errors_by_kind(std::string_view text) const override {
    return redis::with_errors_by_kind(text);
  }
};

}  // namespace
}  // namespace redis

const Store& redis_store() {
  static const redis::RedisStore store;
  return store;
}

}  // namespace holdfast
