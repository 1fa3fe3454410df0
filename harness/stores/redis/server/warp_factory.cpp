#include "harness/stores/redis/server/warp_factory.h"

#include <algorithm>

namespace holdfast::live {

redis::Backend& WarpFactory::make(std::size_t node, const redis::Topology& topology) {
  if (node >= kept_.size()) {
    kept_.resize(node + 1);
  }
  WarpOptions options;
  options.append_only = topology.append_only;
  options.is_replicated = topology.replicas > 0;
  options.password = options.is_replicated ? password_ : "";
  std::vector<Kept>& servers = kept_[node];
  auto found = std::ranges::find(servers, options, &Kept::options);
  if (found == servers.end()) {
    servers.push_back({options, std::make_unique<WarpBackend>(options, program_)});
    found = std::prev(servers.end());
  }
  found->backend->begin_run(node % (1 + topology.replicas) != 0);
  return *found->backend;
}

std::string WarpFactory::name() const {
  for (const std::vector<Kept>& servers : kept_) {
    for (const Kept& kept : servers) {
      return kept.backend->vendor_and_release();
    }
  }
  return program_.name();
}

std::uint64_t WarpFactory::steps() const {
  std::uint64_t sum = 0;
  for (const std::vector<Kept>& servers : kept_) {
    for (const Kept& kept : servers) {
      sum += kept.backend->steps();
    }
  }
  return sum;
}

}  // namespace holdfast::live
