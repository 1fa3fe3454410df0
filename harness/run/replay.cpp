#include "harness/run/replay.h"

#include <fmt/format.h>

namespace holdfast {

std::string replay_command(const Scenario& scenario, const LockEntry& lock, std::uint64_t seed,
                           const std::optional<Placement>& placement) {
  return fmt::format("holdfast run {} --lock {}{} --seed {}{}", scenario.name, lock.id,
                     scenario.shape.empty() ? "" : " --shape " + scenario.shape, seed,
                     placement ? " --place " + to_text(*placement) : "");
}

std::string RunReplay::command() const {
  Scenario as_typed = *request_.scenario;
  as_typed.name = as_typed.typed_as;
  return request_.strategy != nullptr || as_typed.name.empty()
             ? std::string()
             : replay_command(as_typed, *request_.lock, request_.seed, request_.placement) +
                   (on_real_servers_ ? " --world warp" : "");
}

}  // namespace holdfast
