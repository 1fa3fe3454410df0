// holdfast run SCENARIO --world live: a run in real time, told beside what `sim` says of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "harness/cli/story/told_run.h"
#include "harness/live/control/live_run.h"
#include "harness/stores/store.h"

namespace holdfast::cli {

// As the user typed them.
struct LiveOptions {
  std::vector<std::string> endpoints;  // HOST:PORT,HOST:PORT
  bool own_failover = false;
  std::optional<std::int64_t> speed_up;  // none: as much as usual
  std::string history;                   // the file for it; none: ""
  live::ServerPrograms programs;         // for servers of our own
};

// The endpoints that --endpoints names, each time it was given. Throws BadInput if one of them is empty.
std::vector<std::string> endpoints_in(const std::vector<std::string>& lists);
// Of the user's servers; empty if none was given.
std::string server_password(const Store& store);
// "the password is read from …", of whichever store they are.
std::string where_passwords_are();
// "Sentinels of Redis"
std::string own_failovers();
// Those that a user may have servers of.
std::vector<const Store*> stores_with_endpoints();

// Fills the report of `run`, whose scenario, lock, seed and placement are chosen, with what happened in real
// time. Throws BadInput if that cannot be; LiveError if the real world did not play along: `live` then has
// the history until then, and so has the file.
void run_live(ToldRun& run, live::LiveRun& live, const LiveOptions& options);

}  // namespace holdfast::cli
