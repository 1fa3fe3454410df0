// Model servers for a cluster, kept from run to run.
#pragma once

#include <memory>
#include <vector>

#include "harness/stores/redis/cluster.h"
#include "harness/stores/redis/model/model_node.h"

namespace holdfast::redis {

class ModelNodes final : public NodeMaker {
 public:
  Node& make(std::size_t place, const Topology& topology) override;

 private:
  // One per place and set of options: changing the options of a server means another server.
  struct Kept {
    ModelOptions options;
    std::unique_ptr<ModelNode> node;
  };
  std::vector<std::vector<Kept>> kept_;
};

}  // namespace holdfast::redis
