#include "faults/fault.h"

#include <algorithm>

namespace holdfast {

bool strikes_a_call(const Strike& strike) {
  return strike.step != nullptr && strike.step->call != nullptr;
}

bool strikes_a_request(const Strike& strike) {
  return strikes_a_call(strike) &&
         (strike.step->phase == Phase::sending || strike.step->phase == Phase::arrived);
}

bool finds_something(const FaultEntry& entry, ProcessId target, const Step& step) {
  return (!entry.strikes_requests || step.phase == Phase::sending || step.phase == Phase::arrived) &&
         (!entry.strikes_answers || step.phase == Phase::applied) &&
         (!entry.strikes_threads || step.client == target);
}

std::vector<ProcessId> peers_of(const Strike& strike) {
  const FaultWorld& world = *strike.world;
  const std::string peers = strike.word(faults::peers_option);
  const bool target_is_client =
      std::find(world.clients.begin(), world.clients.end(), strike.target) != world.clients.end();
  std::vector<ProcessId> result;
  const auto add = [&](ProcessId process) {
    if (process != strike.target) {
      result.push_back(process);
    }
  };
  if (peers == "servers" || peers == "all") {
    const std::vector<ProcessId> members = world.servers.all_members();
    std::for_each(members.begin(), members.end(), add);
  }
  if (peers == "storage" || peers == "all") {
    add(world.storage);
  }
  if (peers == "clients" || (peers == "all" && !target_is_client)) {
    std::for_each(world.clients.begin(), world.clients.end(), add);
  }
  for (std::size_t index = 1; index < world.kernel.process_count(); ++index) {
    if (world.kernel.process(static_cast<ProcessId>(index)).name == peers) {
      add(static_cast<ProcessId>(index));
    }
  }
  return result;
}

void close_later(Kernel& kernel, Duration after) {
  kernel.call_at(
      world_process, kernel.now() + after,
      [](void* context, std::uint64_t) { static_cast<Kernel*>(context)->let_close(); }, &kernel, 0);
}

}  // namespace holdfast
