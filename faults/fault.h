// A fault: something that goes wrong at a place in a run, and how it ends.
//
// One file each; the file says how it acts and which fields of a FaultSpec it reads. A fault knows the
// kernel, the network and the servers, never a lock. It acts when told (FaultDriver decides where and
// when) and leaves no trace of its own after its end.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/env/steps.h"
#include "harness/kernel/network.h"
#include "harness/scenario/scenario.h"
#include "harness/stores/servers.h"
#include "harness/text/duration_text.h"

namespace holdfast {

// What a fault can reach.
struct FaultWorld {
  Kernel& kernel;
  Network& network;
  Servers& servers;
  std::vector<ProcessId> clients;
  std::vector<ProcessId> members;  // of all servers
  ProcessId storage{};
};

// One occurrence of a fault, with its durations resolved.
struct Strike {
  const FaultSpec* spec = nullptr;
  FaultWorld* world = nullptr;
  ProcessId target{};
  Duration lasts{0};
  Duration by{0};
  Duration every{0};
  const Step* step = nullptr;   // where it strikes, if at a step; only valid in begin
  std::int64_t steps_left = 0;  // clock-steps
  ProcessId serving{};          // replication-lag: who was it when the fault began
};

struct FaultEntry {
  std::string_view id;
  std::string_view summary;
  std::string_view parameters;  // which fields it reads, for `holdfast list faults`
  bool strikes_clients = false;
  bool strikes_servers = false;
  // While it lasts nobody can be blamed for not making progress.
  bool excuses_waiting = false;
  // At which phases trying it makes a difference, when it is tried at every step.
  std::span<const Phase> phases;
  void (*begin)(Strike& strike) = nullptr;
  void (*end)(Strike& strike) = nullptr;  // nullptr: it is over at once
  // A few words for the history: "pauses for 15 s".
  std::string (*describe)(const Strike& strike) = nullptr;
};

// The processes `spec.peers` names, as seen from the target.
std::vector<ProcessId> peers_of(const Strike& strike);
// Lets go, after a while, of a run that was held open.
void close_later(Kernel& kernel, Duration after);

}  // namespace holdfast
