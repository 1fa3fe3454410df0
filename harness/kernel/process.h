// A process of the simulated world: a name, two clocks, threads, and whether it runs.
//
// Plain data that the Kernel owns and changes; others ask the Kernel. A *process* is what pauses and
// crashes as one (a JVM, a redis-server); its *threads* are coroutines that die with it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/kernel/clock.h"
#include "harness/kernel/event_queue.h"
#include "harness/kernel/task.h"

namespace holdfast {

// Number 0 is the world itself: it owns what no process does (faults by time) and never stops.
enum class ProcessId : std::uint32_t {};
inline constexpr ProcessId world_process{0};
constexpr std::size_t index_of(ProcessId id) {
  return static_cast<std::size_t>(id);
}

// A connection between two processes. Whoever opens connections gives out the numbers, and none twice in a
// run.
using ConnectionId = std::uint32_t;
inline constexpr ConnectionId no_connection = 0;

// Refers to something scheduled or waiting; harmless once that has fired or was cancelled.
struct Ticket {
  std::uint32_t slot = 0;
  std::uint32_t generation = 0;  // 0: refers to nothing
};

enum class ClockKind : std::uint8_t { wall, monotonic };

// Told when the process dies and when it comes back. Called between events, never inside a frame of
// the process itself.
class ProcessListener {
 public:
  ProcessListener() = default;
  ProcessListener(const ProcessListener&) = delete;
  ProcessListener& operator=(const ProcessListener&) = delete;
  virtual ~ProcessListener() = default;
  virtual void on_crash() = 0;
  virtual void on_restart() = 0;
};

struct Thread {
  Task<> root;
  Ticket start;
  bool background = false;  // a watchdog: the run does not wait for it
};

struct Process {
  std::string name;
  Clock wall;
  Clock monotonic;
  bool alive = true;
  bool buried = true;        // false between a crash and the end of its event
  bool restart_due = false;  // once it is buried
  bool knows_wall = false;   // its threads have asked what its wall clock says
  std::uint32_t pauses = 0;  // nested: runs only at zero
  std::uint32_t incarnation = 0;
  std::vector<QueueEntry> backlog;  // what came due while paused, in order
  std::vector<Thread> threads;
  std::vector<ProcessListener*> listeners;
};

}  // namespace holdfast
