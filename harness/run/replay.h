// The command that shows a run again.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "harness/kernel/require.h"
#include "harness/run/simulation.h"

namespace holdfast {

// "holdfast run gc-pause-write --lock redis-px-cad --seed 3 --place 1@c1:12"
std::string replay_command(const Scenario& scenario, const LockEntry& lock, std::uint64_t seed,
                           const std::optional<Placement>& placement);

// For as long as the run goes on. A run that a strategy steers is no run by seed, and a scenario that is in
// no file (that of an envelope, or of a benchmark) is one that no `holdfast run` takes: there whoever makes
// the run knows the command.
class RunReplay final : public Replay {
 public:
  // `on_real_servers`: in the world `warp`.
  RunReplay(const RunRequest& request, bool on_real_servers)
      : request_(request), on_real_servers_(on_real_servers) {}
  std::string command() const override;

 private:
  const RunRequest& request_;
  bool on_real_servers_;
};

}  // namespace holdfast
