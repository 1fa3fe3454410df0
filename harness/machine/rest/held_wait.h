// One wait of a thread that its supervisor holds: what it waits for, until when, and how it ends.
//
// A wait is never given back to the kernel: it would wait in real time, if what was there is gone by then.
// Instead the supervisor does what the kernel would have done: it looks, by copies of the program's
// descriptors and by its memory, and writes down the result. So a wait ends only in one of two ways:
// something is there, or time is up.
#pragma once

#include <poll.h>
#include <sys/types.h>

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "harness/machine/process/descriptor.h"
#include "harness/machine/rest/program.h"

namespace holdfast::rest {

// A system call as the filter reports it.
struct Call {
  std::uint64_t id = 0;
  pid_t thread = -1;
  int number = -1;
  std::array<std::uint64_t, 6> arguments{};
  bool is_native = true;  // as a 64-bit program calls; otherwise its number means something else
};

// What the program sees as the call's result.
struct Answer {
  std::int64_t value = 0;
  int error = 0;  // as a positive number; 0: none
};

enum class WaitKind {
  sleep,        // for time only
  descriptors,  // poll and select
  events,       // epoll
  words,        // futex
  turn,         // for nothing: it only lets others go first (sched_yield, a short sleep, a new thread)
};

// On which of its two clocks a program's deadline stands.
enum class WaitClock { monotonic, wall };

struct Deadline {
  WaitClock clock = WaitClock::monotonic;
  std::int64_t at_ns = 0;  // as that clock reads
};

struct WatchedDescriptor {
  int number = -1;           // the program's
  std::size_t position = 0;  // in its array
  short events = 0;
  live::Descriptor copy;  // ours
};

struct WatchedWord {
  std::uint64_t address = 0;
  std::uint32_t value = 0;  // it waits while the word is this
};

struct HeldWait {
  Call call;
  WaitKind kind = WaitKind::sleep;
  std::optional<Deadline> deadline;
  // The round in which the wait began, a new one beginning with all that is let go. Those of one round are
  // ordered by their threads, whose numbers rise as they are made: a thread and those that it made run side
  // by side, and which of them comes to its wait first is chance.
  std::uint64_t order = 0;
  bool lets_all_first = false;  // a turn that comes when nobody else can go
  bool is_due = false;          // its time was up when it came: it only looks, and does not wait
  bool goes_on = false;         // a turn after which the kernel does what was asked for
  std::vector<WatchedDescriptor> descriptors;  // of poll, select; the one of epoll
  std::vector<WatchedWord> words;

  bool is_before(const HeldWait& other) const {
    return order != other.order ? order < other.order : call.thread < other.call.thread;
  }

  // The answer if what it waits for is there; the program's memory is written, too.
  std::optional<Answer> look(const Program& program);
  // The answer when time is up.
  Answer expire(const Program& program) const;
  // Tells the program how much of its timeout is left, where the kernel would (select).
  void write_time_left(const Program& program, std::int64_t left_ns) const;

 private:
  std::optional<Answer> look_at_descriptors(const Program& program);
  std::optional<Answer> look_at_events(const Program& program);
  std::optional<Answer> look_at_words(const Program& program) const;
};

}  // namespace holdfast::rest
