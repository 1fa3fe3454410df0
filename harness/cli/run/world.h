// Who answers for the servers of a run: models (sim), real servers on virtual time (warp), or real servers in
// real time (live), which no Simulation has a part in.
#pragma once

#include <memory>
#include <string>

#include "harness/stores/redis/server/warp_factory.h"

namespace holdfast::cli {

class World {
 public:
  // `name` is what the user typed. Throws BadInput if there is no such world, or none on this machine.
  explicit World(const std::string& name, const live::ServerPrograms& programs = {});

  bool is_live() const { return is_live_; }
  // For a Simulation; none: the models.
  live::WarpFactory* servers() const { return servers_.get(); }

 private:
  bool is_live_ = false;
  std::unique_ptr<live::WarpFactory> servers_;
};

}  // namespace holdfast::cli
