// The deterministic kernel: one thread, one event queue, processes with clocks of their own.
//
// Everything that happens in `sim` and `warp` happens here, in an order that depends on nothing but
// the scenario and the answers of choose(). A Kernel is reused from run to run (reset keeps its
// memory); it must not be touched from two operating-system threads.
//
// Who owns what: the kernel owns processes and the outermost frame of each thread. An awaiter lives in
// the frame that awaits, holds the Ticket of its wait, and cancels it when the frame is destroyed; so a
// crash needs no list of who waits for what.
#pragma once

#include <coroutine>
#include <cstdint>
#include <string_view>
#include <vector>

#include "harness/kernel/choices.h"
#include "harness/kernel/event_queue.h"
#include "harness/kernel/fingerprint.h"
#include "harness/kernel/marks.h"
#include "harness/kernel/process.h"
#include "harness/kernel/require.h"
#include "harness/kernel/task.h"
#include "harness/kernel/time.h"

namespace holdfast {

struct RunLimits {
  Duration true_time = 600s;         // a run that gets this far is stopped and says so
  std::uint64_t events = 2'000'000;  // so is one that spins without time passing
};

enum class RunEnd : std::uint8_t {
  finished,     // every foreground thread came to its end
  deadlock,     // nothing left to do, yet threads wait
  repeats,      // what happens has happened before, and nothing is due that could change it
  time_limit,   // RunLimits::true_time reached
  event_limit,  // RunLimits::events reached
};
std::string_view to_text(RunEnd end);

class Kernel {
 public:
  Kernel() = default;
  Kernel(const Kernel&) = delete;
  Kernel& operator=(const Kernel&) = delete;
  ~Kernel();

  // A new, empty world; `strategy` answers its choices and must outlive the run.
  void reset(Strategy& strategy);

  // --- processes -----------------------------------------------------------------------------------
  ProcessId add_process(std::string_view name);
  std::size_t process_count() const { return process_count_; }
  const Process& process(ProcessId id) const {
    require(index_of(id) < process_count_, "who is asked about is a process of this run");
    return processes_[index_of(id)];
  }
  void listen(ProcessId id, ProcessListener& listener);
  bool runs(ProcessId id) const { return process(id).alive && process(id).pauses == 0; }

  // Starts a thread in the process, at the present instant. The run lasts until all foreground threads
  // ended. Returns the thread's number within its process.
  std::size_t spawn(ProcessId id, Task<> body, bool background = false);
  // Ends one thread as if it had died of an exception nobody caught; its process lives on. One that has
  // ended, or went with its process, stays as it is. Its frames are destroyed after the current event.
  void kill_thread(ProcessId id, std::size_t thread);
  // Whether the thread that began with this frame was killed in the current event: it must do nothing more.
  bool was_killed(std::coroutine_handle<> outermost) const;

  void pause(ProcessId id);
  void resume(ProcessId id);
  // Destroys the process's frames (after the current event) and tells its listeners.
  void crash(ProcessId id);
  // Of one that died in the current event: once its frames are gone.
  void restart(ProcessId id);
  // While anything is held open the run goes on, whether or not threads are left: a restart is due.
  void hold_open() { ++held_open_; }
  void let_close() {
    require(held_open_ > 0, "a run is let close only as often as it was held open");
    --held_open_;
  }
  std::size_t held_open() const { return held_open_; }

  // --- clocks --------------------------------------------------------------------------------------
  Duration now() const { return now_; }  // true time
  Duration read_clock(ProcessId id, ClockKind kind) const { return clock(id, kind).read(now_); }
  // The same, for a thread of the process.
  Duration look_at_wall(ProcessId id) {
    process_of(id).knows_wall = true;
    ++wall_readings_;
    return read_clock(id, ClockKind::wall);
  }
  void jump_clock(ProcessId id, ClockKind kind, Duration by);
  void set_clock_rate(ProcessId id, ClockKind kind, std::int64_t rate);

  // --- scheduling ----------------------------------------------------------------------------------
  using Callback = void (*)(void* context, std::uint64_t argument);

  // Calls back at a true time, on behalf of a process: while it is paused the call waits.
  Ticket call_at(ProcessId id, Duration due, Callback callback, void* context, std::uint64_t argument);
  // Calls back when the process's clock shows `reading`.
  Ticket call_when(ProcessId id, ClockKind kind, Duration reading, Callback callback, void* context,
                   std::uint64_t argument);
  // Resumes the coroutine when the process's clock shows `reading`.
  Ticket resume_at(ProcessId id, ClockKind kind, Duration reading, std::coroutine_handle<> handle);
  // Resumes the coroutine at the present instant (after what is already due).
  Ticket resume_soon(ProcessId id, std::coroutine_handle<> handle);
  // Resumes the coroutine only when woken.
  Ticket resume_when_woken(ProcessId id, std::coroutine_handle<> handle);
  // Makes a waiting ticket due now.
  void wake(Ticket ticket);
  // Resumes what waits on the ticket at once. Only from a callback, never from inside a coroutine.
  void fire(Ticket ticket);
  void cancel(Ticket ticket);
  bool pending(Ticket ticket) const;

  // --- the run -------------------------------------------------------------------------------------
  RunEnd run(const RunLimits& limits);
  // For a world whose time is not ours to make (`live`): when something is due next, at the earliest
  // (`never`: nothing is), and what time it is by now. Stopped at its limit of time, a run goes on from
  // there.
  Duration next_due() const { return queue_.empty() ? never : queue_.top().due; }
  // When all that is under way now has come: timers, messages, faults that end. Never before now.
  Duration last_due() const;
  // How often threads asked what time of day it is: what they do next may depend on that, and not on what
  // they hear.
  std::uint64_t wall_readings() const { return wall_readings_; }
  // Two readings for their difference: how long something took, and no time of day.
  Duration measure_by_wall(ProcessId id) {
    process_of(id).knows_wall = true;
    return read_clock(id, ClockKind::wall);
  }
  void advance_to(Duration true_time) { now_ = true_time > now_ ? true_time : now_; }
  // Ends every thread, in order, before the objects they refer to go away.
  void stop();

  Choices& choices() { return choices_; }
  const Choices& choices() const { return choices_; }
  Fingerprint& fingerprint() { return fingerprint_; }
  // Somebody came to an interesting state. Changes nothing.
  void mark(Mark mark) { marks_ |= bit_of(mark); }
  std::uint64_t marks() const { return marks_; }
  std::uint64_t event_count() const { return event_count_; }
  // A thread started this run has neither ended nor died.
  std::size_t foreground_count() const { return foreground_; }

 private:
  static constexpr std::uint64_t no_entry = 0;

  // A scheduled or waiting thing. A queue entry is valid only while it carries the slot's current
  // sequence number, so rescheduling and cancelling leave stale entries behind that are skipped.
  struct Slot {
    std::uint64_t sequence = no_entry;
    std::coroutine_handle<> handle;  // resume this, or
    Callback callback = nullptr;     // call this
    void* context = nullptr;
    std::uint64_t argument = 0;
    Duration reading{0};  // for a timer: what its clock must show
    ProcessId process{};
    std::uint32_t generation = 1;
    bool timer = false;
    ClockKind clock = ClockKind::wall;
  };

  Process& process_of(ProcessId id) {
    require(index_of(id) < process_count_, "whoever acts is a process of this run");
    return processes_[index_of(id)];
  }
  Clock& clock(ProcessId id, ClockKind kind) {
    Process& owner = process_of(id);
    return kind == ClockKind::wall ? owner.wall : owner.monotonic;
  }
  const Clock& clock(ProcessId id, ClockKind kind) const {
    const Process& owner = process(id);
    return kind == ClockKind::wall ? owner.wall : owner.monotonic;
  }
  std::uint32_t take_slot(ProcessId id);
  void free_slot(std::uint32_t index);
  void enqueue(std::uint32_t index, Duration due);
  Ticket await_reading(std::uint32_t index, ClockKind kind, Duration reading);
  Ticket ticket_of(std::uint32_t index) const { return {index, slots_[index].generation}; }
  void fire_slot(std::uint32_t index);
  void retime(ProcessId id, ClockKind kind);
  void bury_the_dead();
  void count_foreground_out();
  void count_out_unless_ended(const Thread& thread);  // one that came to its end has counted itself out
  static Task<> run_thread(Kernel& kernel, Task<> body, bool background);

  Duration now_{0};
  std::uint64_t next_sequence_ = 1;
  std::uint64_t event_count_ = 0;
  std::size_t foreground_ = 0;
  std::size_t held_open_ = 0;
  EventQueue queue_;
  std::vector<Slot> slots_;
  std::vector<std::uint32_t> free_slots_;
  std::vector<Process> processes_;  // the first process_count_ are of this run, the rest spare
  std::size_t process_count_ = 0;
  std::vector<ProcessId> dead_;
  std::vector<Thread> killed_;
  std::uint64_t marks_ = 0;
  std::uint64_t wall_readings_ = 0;
  Choices choices_;
  Fingerprint fingerprint_;
};

}  // namespace holdfast
