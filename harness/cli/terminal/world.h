// Who answers for the servers of a run: models (sim), real servers on virtual time (warp), or real servers in
// real time (live), which no Simulation has a part in.
#pragma once

#include <memory>
#include <string>

#include "harness/run/confirmation.h"
#include "harness/stores/real_server_set.h"

namespace holdfast::cli {

class World {
 public:
  // `name` is what the user typed. Throws BadInput if there is no such world, or none on this machine.
  // `programs`: what to start for the real ones.
  explicit World(const std::string& name, const live::ServerPrograms& programs = {});

  bool is_live() const { return is_live_; }
  // For a Simulation; none: the models.
  RealServerSet* servers() const { return servers_.get(); }

 private:
  bool is_live_ = false;
  std::unique_ptr<RealServerSet> servers_;
};

// Asks the real servers of this machine, on virtual time, and keeps them for the next run.
class WarpConfirmer {
 public:
  // Throws BadInput if there is no world warp on this machine.
  explicit WarpConfirmer(const live::ServerPrograms& programs = {})
      : world_("warp", programs), confirmer_(*world_.servers()) {}
  WarpConfirmer(const WarpConfirmer&) = delete;
  WarpConfirmer& operator=(const WarpConfirmer&) = delete;
  ~WarpConfirmer() = default;

  Confirmer& operator*() { return confirmer_; }
  Confirmer* operator->() { return &confirmer_; }

 private:
  World world_;
  Confirmer confirmer_;
};

}  // namespace holdfast::cli
