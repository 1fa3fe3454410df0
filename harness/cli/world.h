// Who answers for the servers of a run: models (sim) or real servers on virtual time (warp).
#pragma once

#include <memory>
#include <string>

#include "harness/live/redis/warp_factory.h"

namespace holdfast::cli {

class World {
 public:
  // `name` is what the user typed. Throws BadInput if there is no such world, or none on this machine.
  explicit World(const std::string& name);

  bool is_real() const { return servers_ != nullptr; }
  // For a Simulation; none: the models.
  live::WarpFactory* servers() const { return servers_.get(); }

 private:
  std::unique_ptr<live::WarpFactory> servers_;
};

}  // namespace holdfast::cli
