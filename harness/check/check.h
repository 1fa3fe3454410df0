// A check: sees a history's events as they happen, and judges it at the end.
//
// The interface every checker shares, from these first ones to a general linearizability checker. A
// check keeps memory for what is open only (holds, waiters), never for the whole history. It is reused:
// reset starts a new run. Judging is cheap; words are made only by verdict(), which is asked for when
// somebody will read them.
#pragma once

#include <cstdint>
#include <string_view>

#include "harness/check/catalog.h"
#include "harness/check/verdict.h"
#include "harness/history/history.h"

namespace holdfast {

// What a check needs to know of the run besides its history.
struct CheckContext {
  bool reentrant = false;        // the lock counts a thread's acquires
  bool has_token = false;        // the lock hands out fencing tokens
  std::int64_t permits = 1;      // how many exclusive holders are allowed at once
  std::int64_t latch_count = 0;  // of a latch: count-downs until its waiters may go; else 0
  std::int64_t stock = -1;       // of the resource at the start, if it can be sold out; else -1
  bool fair = false;             // grants should follow the order of requests
  Duration lease{0};             // after which a hold may end by itself; zero: it never does
  // Nobody expects a waiter to get a free lock faster than this.
  Duration grace = 1500ms;
  // Its holds do not count: a client that is known to act without holding the lock. Other threads of its
  // process may hold the lock in earnest.
  ProcessId stranger = world_process;
  std::uint32_t stranger_thread = 1;
  bool stranger_is_set = false;

  bool is_stranger(ProcessId process, std::uint32_t thread) const {
    return stranger_is_set && process == stranger && thread == stranger_thread;
  }
};

class Check : public EventSink {
 public:
  // Its row of the catalog, which says what it does to the letter.
  virtual CheckId id() const = 0;
  std::string_view property() const { return row_of(id()).name; }
  virtual void reset(const CheckContext& context) = 0;
  // Whether it has to see the events of the run that it was reset for.
  virtual bool watches() const { return true; }
  // The run is over; nothing more will happen.
  virtual void finish(Duration true_time, RunEnd end) = 0;
  virtual Judgement judgement() const = 0;
  virtual Verdict verdict(const History& history) const = 0;
};

}  // namespace holdfast
