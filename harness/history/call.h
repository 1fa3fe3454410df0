// Calls: a history as a linearizability checker sees it, whoever recorded it.
//
// A reader (holdfast's JSON Lines, Jepsen's EDN) turns a file into CallEvents, in the order of the file,
// which is the order of real time: times are for the report only and may be missing. Clients and keys are
// small numbers, counted from 0 in order of appearance; the reader knows their names.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>

#include "harness/history/mode.h"

namespace holdfast {

enum class Action : std::uint8_t {
  acquire,
  try_acquire,  // answers at once; refused: somebody else has it
  release,
  read,
  write,
  compare_and_set,
  add,
  count_down,
  await_zero,
};

enum class CallEventType : std::uint8_t {
  invoke,
  ok,     // it happened; `refused`: the service looked and said no, which is an observation
  fail,   // it certainly did not happen, and nothing is learned from it
  info,   // nobody knows; it may still happen at any later time, or never
  ended,  // the client died, or learned that its hold is gone: from now on the service may let it go
  asked,  // a server carried something out for the client: it is awake, even if its call is still open
};

// Who calls: one thread of control, with at most one call open at a time.
using ClientNumber = std::uint32_t;
using KeyNumber = std::uint32_t;

inline constexpr std::int64_t no_time = std::numeric_limits<std::int64_t>::min();

struct CallEvent {
  CallEventType type = CallEventType::invoke;
  Action action = Action::acquire;  // of `ended`: meaningless
  Mode mode = Mode::exclusive;      // of acquire, try_acquire and release
  bool refused = false;
  ClientNumber client = 0;
  KeyNumber key = 0;
  // These say what they start as, so that an event can be written with the fields it has and no warning.
  std::optional<std::int64_t> token = std::nullopt;     // for fencing: granted, or presented
  std::optional<std::int64_t> value = std::nullopt;     // read, written or added; nothing is nil
  std::optional<std::int64_t> expected = std::nullopt;  // of compare_and_set
  std::int64_t time = no_time;                          // nanoseconds
  std::uint64_t line = 0;                               // of the file, from 1
};

enum class Outcome : std::uint8_t { ok, fail, info };

// The position of an event: its number in the history, from 0. A call that never returned has
// `never_returned` (`never` is a time).
using Position = std::uint64_t;
inline constexpr Position never_returned = std::numeric_limits<Position>::max();

// Both ends of a call. An info call has `returned == never_returned`: it may take effect at any later time.
struct Call {
  Action action = Action::acquire;
  Mode mode = Mode::exclusive;
  Outcome outcome = Outcome::info;
  bool refused = false;
  // Of a lock without owners: the acquire's client died, and nobody knows whether it had been granted. The
  // release by which the service lets that hold go is conditional, too: it needs the acquire to have
  // happened. `value` says which death of the client's it was.
  bool conditional = false;
  ClientNumber client = 0;
  KeyNumber key = 0;
  std::optional<std::int64_t> token;
  std::optional<std::int64_t> value;
  std::optional<std::int64_t> expected;
  Position invoked = 0;
  Position returned = never_returned;
  std::int64_t invoke_time = no_time;
  std::int64_t return_time = no_time;
  std::uint64_t invoke_line = 0;
  std::uint64_t return_line = 0;
};

}  // namespace holdfast
