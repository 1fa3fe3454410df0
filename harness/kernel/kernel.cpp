#include "harness/kernel/kernel.h"

#include <algorithm>
#include <utility>

#include "harness/kernel/append.h"

namespace holdfast {
namespace {

// Where every wall clock starts: 2026-01-01T00:00:00Z. Any fixed instant would do; a recent one makes
// histories read naturally.
constexpr Duration wall_at_start = std::chrono::seconds(1'767'225'600);
// Where every monotonic clock starts: an hour after boot, so that no subtraction reaches below zero.
constexpr Duration monotonic_at_start = 3600s;

}  // namespace

std::string_view to_text(RunEnd end) {
  switch (end) {
    case RunEnd::finished:
      return "finished";
    case RunEnd::deadlock:
      return "deadlock: nothing left to do, yet threads wait";
    case RunEnd::repeats:
      return "stopped: the same happens again and again, and nothing is due that could change it";
    case RunEnd::time_limit:
      return "stopped at the limit of virtual time";
    case RunEnd::event_limit:
      return "stopped at the limit of events";
  }
  return "unknown";
}

Kernel::~Kernel() {
  stop();
}

void Kernel::reset(Strategy& strategy) {
  stop();
  now_ = Duration::zero();
  next_sequence_ = 1;
  event_count_ = 0;
  wall_readings_ = 0;
  marks_ = 0;
  foreground_ = 0;
  held_open_ = 0;
  queue_.clear();
  slots_.clear();
  slots_.emplace_back();  // slot 0 is never handed out, so that an empty Ticket refers to nothing
  free_slots_.clear();
  process_count_ = 0;
  choices_.reset(strategy);
  fingerprint_ = {};
  add_process("world");
}

void Kernel::stop() {
  // In the order of processes and threads, so that what destructors do is the same every time.
  for (std::size_t index = 0; index < process_count_; ++index) {
    processes_[index].threads.clear();
  }
  killed_.clear();
  dead_.clear();
}

ProcessId Kernel::add_process(std::string_view name) {
  require(!name.empty(), "every process has a name");
  if (process_count_ == processes_.size()) {
    processes_.emplace_back();
  }
  Process& process = processes_[process_count_];
  process.name.assign(name);
  process.wall = Clock(wall_at_start);
  process.monotonic = Clock(monotonic_at_start);
  process.alive = true;
  process.buried = true;
  process.restart_due = false;
  process.knows_wall = false;
  process.pauses = 0;
  process.incarnation = 0;
  process.backlog.clear();
  process.threads.clear();
  process.listeners.clear();
  return static_cast<ProcessId>(process_count_++);
}

void Kernel::listen(ProcessId id, ProcessListener& listener) {
  process_of(id).listeners.push_back(&listener);
}

Task<> Kernel::run_thread(Kernel& kernel, Task<> body, bool background) {
  co_await body;
  if (!background) {
    kernel.count_foreground_out();
  }
}

void Kernel::count_foreground_out() {
  require(foreground_ > 0, "no more threads end than were started");
  --foreground_;
}

void Kernel::count_out_unless_ended(const Thread& thread) {
  if (!thread.background && !thread.root.done()) {
    count_foreground_out();
  }
}

std::size_t Kernel::spawn(ProcessId id, Task<> body, bool background) {
  Process& process = process_of(id);
  Thread thread;
  thread.root = run_thread(*this, std::move(body), background);
  thread.background = background;
  thread.start = resume_soon(id, thread.root.handle());
  if (!background) {
    ++foreground_;
  }
  process.threads.push_back(std::move(thread));
  return process.threads.size() - 1;
}

void Kernel::kill_thread(ProcessId id, std::size_t thread_number) {
  std::vector<Thread>& threads = process_of(id).threads;
  if (thread_number >= threads.size() || threads[thread_number].root.done()) {
    return;
  }
  cancel(threads[thread_number].start);
  killed_.push_back(std::move(threads[thread_number]));  // buried after the event: it may be the one running
}

bool Kernel::was_killed(std::coroutine_handle<> outermost) const {
  return std::ranges::any_of(killed_,
                             [&](const Thread& thread) { return thread.root.handle() == outermost; });
}

void Kernel::pause(ProcessId id) {
  ++process_of(id).pauses;
}

void Kernel::resume(ProcessId id) {
  Process& process = process_of(id);
  if (process.pauses == 0) {
    return;
  }
  --process.pauses;
  if (process.pauses > 0) {
    return;
  }
  // Under their old times, so that they come before whatever is due at this very instant.
  for (const QueueEntry& entry : process.backlog) {
    if (slots_[entry.slot].sequence == entry.sequence) {
      queue_.push(entry);
    }
  }
  process.backlog.clear();
}

void Kernel::crash(ProcessId id) {
  Process& process = process_of(id);
  if (!process.alive) {
    return;
  }
  process.alive = false;
  process.buried = false;
  ++process.incarnation;
  process.pauses = 0;
  dead_.push_back(id);
}

void Kernel::bury_the_dead() {
  for (const Thread& thread : killed_) {
    count_out_unless_ended(thread);
  }
  killed_.clear();
  while (!dead_.empty()) {
    const ProcessId id = dead_.back();
    Process& process = process_of(id);
    dead_.pop_back();
    require(!process.alive && !process.buried, "who is buried has died, and was not buried before");
    for (const Thread& thread : process.threads) {
      cancel(thread.start);
      count_out_unless_ended(thread);
    }
    process.threads.clear();
    process.backlog.clear();
    for (ProcessListener* listener : process.listeners) {
      listener->on_crash();
    }
    process.buried = true;
    if (std::exchange(process.restart_due, false)) {
      restart(id);
    }
  }
}

void Kernel::restart(ProcessId id) {
  Process& process = process_of(id);
  if (process.alive) {
    return;
  }
  if (!process.buried) {
    process.restart_due = true;
    return;
  }
  // What waits for it, if it was paused while it was dead, came after its life before.
  require(process.threads.empty(), "a process comes back without the threads of its life before");
  process.alive = true;
  for (ProcessListener* listener : process.listeners) {
    listener->on_restart();
  }
}

void Kernel::jump_clock(ProcessId id, ClockKind kind, Duration by) {
  clock(id, kind).jump(by, now_);
  retime(id, kind);
}

void Kernel::set_clock_rate(ProcessId id, ClockKind kind, std::int64_t rate) {
  require(rate >= 0, "no clock runs backwards: it is only set back");
  clock(id, kind).set_rate(rate, now_);
  retime(id, kind);
}

void Kernel::retime(ProcessId id, ClockKind kind) {
  const Clock& changed = clock(id, kind);
  for (std::uint32_t index = 1; index < slots_.size(); ++index) {
    const Slot& slot = slots_[index];
    if (slot.timer && slot.process == id && slot.clock == kind) {
      enqueue(index, changed.when(slot.reading, now_));
    }
  }
}

std::uint32_t Kernel::take_slot(ProcessId id) {
  if (free_slots_.empty()) {
    append(free_slots_, static_cast<std::uint32_t>(slots_.size()));
    append(slots_, {});
  }
  const std::uint32_t index = free_slots_.back();
  free_slots_.pop_back();
  Slot& slot = slots_[index];
  require(!slot.handle && slot.callback == nullptr && slot.sequence == no_entry,
          "a slot is handed out only when it is free");
  slot.process = id;
  return index;
}

void Kernel::free_slot(std::uint32_t index) {
  require(index != 0, "the slot that stands for nothing is never in use");
  Slot& slot = slots_[index];
  require(slot.handle || slot.callback != nullptr, "a slot is given back once");
  slot.sequence = no_entry;
  slot.handle = nullptr;
  slot.callback = nullptr;
  slot.timer = false;
  ++slot.generation;
  append(free_slots_, index);
}

void Kernel::enqueue(std::uint32_t index, Duration due) {
  Slot& slot = slots_[index];
  if (due == never) {
    slot.sequence = no_entry;
    return;
  }
  slot.sequence = next_sequence_++;
  queue_.push({due, slot.sequence, index});
}

Ticket Kernel::call_at(ProcessId id, Duration due, Callback callback, void* context, std::uint64_t argument) {
  require(callback != nullptr, "what is to be called back can be called");
  const std::uint32_t index = take_slot(id);
  Slot& slot = slots_[index];
  slot.callback = callback;
  slot.context = context;
  slot.argument = argument;
  enqueue(index, due);
  return ticket_of(index);
}

Ticket Kernel::await_reading(std::uint32_t index, ClockKind kind, Duration reading) {
  Slot& slot = slots_[index];
  slot.timer = true;
  slot.clock = kind;
  slot.reading = reading;
  enqueue(index, clock(slot.process, kind).when(reading, now_));
  return ticket_of(index);
}

Ticket Kernel::call_when(ProcessId id, ClockKind kind, Duration reading, Callback callback, void* context,
                         std::uint64_t argument) {
  require(callback != nullptr, "what is to be called back can be called");
  const std::uint32_t index = take_slot(id);
  Slot& slot = slots_[index];
  slot.callback = callback;
  slot.context = context;
  slot.argument = argument;
  return await_reading(index, kind, reading);
}

Ticket Kernel::resume_at(ProcessId id, ClockKind kind, Duration reading, std::coroutine_handle<> handle) {
  require(handle != nullptr, "who sleeps can be woken");
  const std::uint32_t index = take_slot(id);
  slots_[index].handle = handle;
  return await_reading(index, kind, reading);
}

Ticket Kernel::resume_soon(ProcessId id, std::coroutine_handle<> handle) {
  require(handle != nullptr, "who waits can be resumed");
  const std::uint32_t index = take_slot(id);
  slots_[index].handle = handle;
  enqueue(index, now_);
  return ticket_of(index);
}

Ticket Kernel::resume_when_woken(ProcessId id, std::coroutine_handle<> handle) {
  require(handle != nullptr, "who waits can be resumed");
  const std::uint32_t index = take_slot(id);
  slots_[index].handle = handle;
  return ticket_of(index);
}

bool Kernel::pending(Ticket ticket) const {
  if (ticket.generation == 0) {
    return false;
  }
  require(ticket.slot < slots_.size(), "a ticket is of this run");
  return slots_[ticket.slot].generation == ticket.generation;
}

void Kernel::wake(Ticket ticket) {
  if (pending(ticket)) {
    slots_[ticket.slot].timer = false;
    enqueue(ticket.slot, now_);
  }
}

void Kernel::fire(Ticket ticket) {
  if (pending(ticket)) {
    fire_slot(ticket.slot);
  }
}

void Kernel::cancel(Ticket ticket) {
  if (pending(ticket)) {
    free_slot(ticket.slot);
  }
}

void Kernel::fire_slot(std::uint32_t index) {
  const Slot& slot = slots_[index];
  const std::coroutine_handle<> handle = slot.handle;
  const Callback callback = slot.callback;
  void* const context = slot.context;
  const std::uint64_t argument = slot.argument;
  free_slot(index);
  if (handle) {
    handle.resume();
  } else {
    callback(context, argument);
  }
}

Duration Kernel::last_due() const {
  Duration last = now_;
  queue_.for_each([&](const QueueEntry& entry) {
    if (slots_[entry.slot].sequence == entry.sequence) {
      last = std::max(last, entry.due);
    }
  });
  return last;
}

RunEnd Kernel::run(const RunLimits& limits) {
  bury_the_dead();  // who died between two runs, or before the first
  while (foreground_ > 0 || held_open_ > 0) {
    if (queue_.empty()) {
      return RunEnd::deadlock;
    }
    const QueueEntry entry = queue_.pop();
    require(entry.slot != 0 && entry.slot < slots_.size(), "what is due stands in a slot");
    Slot& slot = slots_[entry.slot];
    if (slot.sequence != entry.sequence) {
      continue;  // cancelled or rescheduled meanwhile
    }
    if (entry.due > limits.true_time) {
      queue_.push(entry);
      advance_to(limits.true_time);
      return RunEnd::time_limit;
    }
    now_ = std::max(now_, entry.due);  // what waited out a pause was due before
    Process& process = process_of(slot.process);
    if (process.pauses > 0) {
      slot.timer = false;  // it has come due: a clock that moves now changes nothing
      process.backlog.push_back(entry);
      continue;
    }
    if (event_count_ >= limits.events) {
      queue_.push(entry);
      return RunEnd::event_limit;
    }
    ++event_count_;
    fingerprint_.add(static_cast<std::uint64_t>(now_.count()) ^ (entry.sequence << 40));
    fire_slot(entry.slot);
    if (!dead_.empty() || !killed_.empty()) {
      bury_the_dead();
      require(dead_.empty(), "nobody is left unburied when an event is over");
    }
  }
  return RunEnd::finished;
}

}  // namespace holdfast
