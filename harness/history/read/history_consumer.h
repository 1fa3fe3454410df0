// Who wants to hear what a history says: calls, and apart from them what was done to the processes.
#pragma once

#include <cstdint>
#include <string_view>

#include "harness/history/call.h"

namespace holdfast {

enum class FaultKind : std::uint8_t { begin, end, died, restarted };

// The views live only as long as the call that hands them over.
struct FaultEvent {
  FaultKind kind = FaultKind::begin;
  std::string_view process;  // whom it strikes; "nemesis" in a history of Jepsen's
  std::string_view text;     // what it does, for a person
  std::int64_t time = no_time;
  std::uint64_t line = 0;
};

class HistoryConsumer {
 public:
  HistoryConsumer() = default;
  HistoryConsumer(const HistoryConsumer&) = delete;
  HistoryConsumer& operator=(const HistoryConsumer&) = delete;
  virtual ~HistoryConsumer() = default;

  // In the order of the file. An `ended` speaks of all that its client holds, whatever the key; its key is
  // the one that the client asked for last. Only the ok of a read carries its value.
  virtual void on_call(const CallEvent& event) = 0;
  virtual void on_fault(const FaultEvent& /*event*/) {}
};

}  // namespace holdfast
