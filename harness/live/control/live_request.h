// What to run live, and on what.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/history/history.h"
#include "harness/machine/program/server_program.h"
#include "harness/run/simulation.h"
#include "harness/scenario/scenario.h"
#include "locks/catalog.h"

namespace holdfast::live {

struct LiveRequest {
  const Scenario* scenario = nullptr;
  const LockEntry* lock = nullptr;
  std::uint64_t seed = 1;              // of the clients' random choices; real time is nobody's choice
  std::optional<Placement> placement;  // of a family's run
  bool details = false;                // record what servers executed
  bool explain = false;                // fill RunReport::verdicts
  EventSink* sink = nullptr;           // sees every event too
  // It was proved of the same run (in `sim`) that who still waits at its limit waits for ever: by itself a
  // limit of real time proves nothing.
  bool is_limit_proof = false;

  // How many times faster than the scenario says: with 20, a lease of 10 s is one of 500 ms. A lock that
  // cannot have so short a lease (LockNeeds::least_ttl) runs slower. None: as pace.h says.
  std::optional<std::int64_t> speed_up;
  // Servers of the user's, HOST:PORT, one for each that the lock needs; empty: servers of our own. Nothing is
  // touched there but keys and channels that carry the run's name, and those are deleted afterwards.
  std::vector<std::string> endpoints;
  std::string password;  // of those servers
  // The failover is done by what belongs to the servers (three Sentinels) instead of us.
  bool own_failover = false;
  ServerPrograms programs;  // for servers of our own
  // Starts a client; without any, this very program with "live-client". See PROTOCOL.md.
  std::vector<std::string> client_command;
  Duration patience_at_start = 20s;  // until every client has answered its setup
};

}  // namespace holdfast::live
