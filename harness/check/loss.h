// Undetected loss: a lock that lost its hold to another client, and what its holder learned of it, and when.
//
// Many locks lose a hold under some fault. What separates them is whether the holder learns of it before it
// writes: a renewal that was refused, a session that is over. A hold is lost when another one is granted that
// may not coexist with it. Then the first of these says how the loss was told:
//   the client learned of it by itself (Lock::lost, which is asked before each write)   before its next write
//   a release that says the lock was not held                                           at its release
//   neither, up to a release that says it went well or that nobody answers              never
// Who dies first is not told, and is not asked. It sees what BeliefCheck sees, and has no say in the letter.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "harness/check/hold_tracker.h"

namespace holdfast {

// From best to worst: of several losses the worst stands.
enum class Loss : std::uint8_t { none, told_before_write, told_at_release, never_told };
std::string_view to_text(Loss loss);      // "at release": in tables and for programs
std::string_view to_sentence(Loss loss);  // "whoever lost the lock was told when it released it"

class LossWatch {
 public:
  void reset() {
    open_.clear();
    worst_ = Loss::none;
    event_ = 0;
  }
  // These holds may not coexist with the one that was granted just now.
  void take(const Hold& lost);
  bool watches() const { return !open_.empty(); }
  // Every event after that.
  void on_event(const Event& event, std::size_t index);

  Loss worst() const { return worst_; }
  std::size_t event() const { return event_; }  // that told of the worst one, or did not

 private:
  struct Lost {
    ProcessId process{};
    std::uint32_t thread = 0;
    Mode mode = Mode::exclusive;
    std::uint32_t session = 0;
    std::uint32_t depth = 1;
    bool has_written = false;  // since
  };
  // Of the hold in this place: it is known how it was told.
  void settle(std::vector<Lost>::iterator lost, Loss loss, std::size_t index);

  std::vector<Lost> open_;
  Loss worst_ = Loss::none;
  std::size_t event_ = 0;
};

}  // namespace holdfast
