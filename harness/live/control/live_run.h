// A scenario run in real time, with real processes, sockets and signals: the `live` world.
//
// The controller keeps a *mirror* of the run: a kernel, a network and a cluster as in `sim`, whose time is
// real time and in which nothing happens but faults. Faults act on the mirror, by the same code as in `sim`;
// after every step the controller brings the real world in line with it: a process that is paused there gets
// a SIGSTOP, a link that is cut there is cut in the proxies, a clock that jumped there moves its clock page.
//
// One thread. A LiveRun can be used again; what it started is gone when run() has returned or thrown.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "harness/live/control/live_request.h"
#include "harness/run/report.h"

namespace holdfast::live {

struct LiveWorld;

class LiveRun {
 public:
  LiveRun();
  LiveRun(const LiveRun&) = delete;
  LiveRun& operator=(const LiveRun&) = delete;
  ~LiveRun();

  // Throws LiveError, with one sentence, if the real world does not play along: history() then has what
  // happened until then.
  RunReport run(const LiveRequest& request);

  // Of the last run, if there was one.
  bool has_history() const;
  const History& history() const;
  // Its processes in the order of a picture: clients, lock servers, storage.
  std::vector<ProcessId> processes() const;
  // "redis-server 7.0.15", or the user's endpoints.
  const std::string& servers() const;
  // How many times faster than told it ran.
  std::int64_t speed_up() const;
  // Why no faster; empty: it was as fast as usual, or as was asked for.
  const std::string& why_slower() const;

 private:
  std::unique_ptr<LiveWorld> world_;
};

// Why the lock cannot run live at all ("…"), or empty; besides why_not_applicable().
std::string why_not_live(const LiveRequest& request);

}  // namespace holdfast::live
