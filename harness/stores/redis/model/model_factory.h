// Model servers for a cluster, kept from run to run.
#pragma once

#include <memory>
#include <vector>

#include "harness/stores/redis/cluster.h"
#include "harness/stores/redis/model/model_backend.h"

namespace holdfast::redis {

class ModelFactory final : public BackendFactory {
 public:
  Backend& make(std::size_t node, const Topology& topology) override;

 private:
  // One per node and set of options: changing the options of a server means another server.
  struct Kept {
    ModelOptions options;
    std::unique_ptr<ModelBackend> backend;
  };
  std::vector<std::vector<Kept>> kept_;
};

}  // namespace holdfast::redis
