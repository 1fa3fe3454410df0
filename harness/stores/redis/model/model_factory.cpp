#include "harness/stores/redis/model/model_factory.h"

namespace holdfast::redis {

Backend& ModelFactory::make(std::size_t node, const Topology& topology) {
  const ModelOptions options{topology.append_only, topology.replicas > 0};
  if (kept_.size() <= node) {
    kept_.resize(node + 1);
  }
  for (const Kept& kept : kept_[node]) {
    if (kept.options.append_only == options.append_only &&
        kept.options.keep_replication_log == options.keep_replication_log) {
      kept.backend->reset();
      return *kept.backend;
    }
  }
  kept_[node].push_back({options, std::make_unique<ModelBackend>(options)});
  return *kept_[node].back().backend;
}

}  // namespace holdfast::redis
