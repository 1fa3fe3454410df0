#include "harness/run/replay.h"

#include <fmt/format.h>

namespace holdfast {

std::string replay_command(const Scenario& scenario, const LockEntry& lock, std::uint64_t seed,
                           const std::optional<Placement>& placement) {
  return fmt::format("holdfast run {} --lock {} --seed {}{}", scenario.name, lock.id, seed,
                     placement ? " --place " + to_text(*placement) : "");
}

std::string RunReplay::command() const {
  return request_.strategy != nullptr
             ? std::string()
             : replay_command(*request_.scenario, *request_.lock, request_.seed, request_.placement);
}

}  // namespace holdfast
