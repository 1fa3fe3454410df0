#include "harness/stores/redis/server/real_nodes.h"

#include <algorithm>

namespace holdfast::live {

redis::Node& RealNodes::make(std::size_t place, const redis::Topology& topology) {
  if (place >= kept_.size()) {
    kept_.resize(place + 1);
  }
  RealNodeOptions options;
  options.append_only = topology.append_only;
  options.is_replicated = topology.replicas > 0;
  options.password = options.is_replicated ? password_ : "";
  std::vector<Kept>& servers = kept_[place];
  auto found = std::ranges::find(servers, options, &Kept::options);
  if (found == servers.end()) {
    servers.push_back({options, std::make_unique<RealNode>(options, program_)});
    found = std::prev(servers.end());
  }
  found->node->begin_run(place % (1 + topology.replicas) != 0);
  return *found->node;
}

std::string RealNodes::name() const {
  for (const std::vector<Kept>& servers : kept_) {
    for (const Kept& kept : servers) {
      return kept.node->vendor_and_release();
    }
  }
  return program_.name();
}

std::uint64_t RealNodes::steps() const {
  std::uint64_t sum = 0;
  for (const std::vector<Kept>& servers : kept_) {
    for (const Kept& kept : servers) {
      sum += kept.node->steps();
    }
  }
  return sum;
}

}  // namespace holdfast::live
