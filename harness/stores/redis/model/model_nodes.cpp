#include "harness/stores/redis/model/model_nodes.h"

namespace holdfast::redis {

Node& ModelNodes::make(std::size_t place, const Topology& topology) {
  const ModelOptions options{topology.append_only, topology.replicas > 0};
  if (kept_.size() <= place) {
    kept_.resize(place + 1);
  }
  for (const Kept& kept : kept_[place]) {
    if (kept.options.append_only == options.append_only &&
        kept.options.keep_replication_log == options.keep_replication_log) {
      kept.node->reset();
      return *kept.node;
    }
  }
  kept_[place].push_back({options, std::make_unique<ModelNode>(options)});
  return *kept_[place].back().node;
}

}  // namespace holdfast::redis
