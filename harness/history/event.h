// One event of a history. See harness/history/history.schema.json for its written form.
//
// Operations of clients come in pairs, as in Jepsen: `invoke`, then one of `ok` (it happened), `fail`
// (it certainly did not) or `info` (nobody knows); a client that dies leaves its invoke alone. What
// storage decided, what faults did and what servers executed are events too, so that a history alone
// tells the story.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "harness/history/mode.h"
#include "harness/kernel/kernel.h"

namespace holdfast {

enum class EventType : std::uint8_t {
  invoke,
  ok,
  fail,
  info,
  applied,   // a server executed something (command level: only when details are recorded)
  stored,    // storage accepted a write
  rejected,  // storage refused a write
  fault_begin,
  fault_end,
  died,  // the process (or, with a thread, that thread) crashed
  restarted,
  lost_hold,  // the client itself learned that its hold is gone
};

enum class Operation : std::uint8_t { none, acquire, release, read, write, count_down, await_zero };

struct Event {
  EventType type = EventType::invoke;
  Operation operation = Operation::none;
  Mode mode = Mode::exclusive;
  ProcessId process{};                // whose event it is; for applied/stored/rejected the client's
  std::uint32_t thread = 0;           // counts from 1; 0: the process as a whole
  ProcessId server = world_process;   // for applied/stored/rejected
  std::uint32_t session = 0;          // the hold it belongs to: one number per acquire, from 1
  std::optional<std::int64_t> token;  // fencing token
  std::int64_t value = 0;             // of the resource, read or written
  std::int64_t version = 0;           // of the resource: read, or on which the write was based
  std::int64_t found_version = 0;     // stored/rejected: what storage was at when the write came
  Duration true_time{0};
  Duration wall{0};  // what the process's own clocks said
  Duration monotonic{0};
  std::uint32_t text = 0;  // History::text(): a command and its reply, a fault, a problem
};

std::string_view to_text(EventType type);
std::string_view to_text(Operation operation);
std::string_view to_text(Mode mode);

}  // namespace holdfast
