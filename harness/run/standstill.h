// Whether a run that does not come to its end goes round in circles: the proof behind "stuck for ever" where
// threads still ask for the lock again and again.
//
// The time of the run is cut into windows. Each is so long that all that was under way when it began has come
// by its end: timers, messages, faults, and what servers do by themselves, such as letting a key expire. If
// in a window nobody got anywhere (only refused tries went into the history), nobody looked at the time of
// day but to say it, and clients asked nothing and heard nothing that they had not asked and heard in the
// windows before, then the next window will be like it: nothing is left that could set the lock free. Numbers
// in answers, such as what a lease has left, may be any between the least and the greatest seen before: a
// lease that is renewed goes up and down, one that runs out goes below all that was seen. Numbers that are
// times of day, in what is asked and heard, count by how far they are from the present: a queue that is
// stamped anew and anew stays the same, and a stamp that grows old does not.
//
// What it takes on trust: that clients remember nothing that makes them do otherwise after a number of
// rounds, and servers nothing that no answer shows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "harness/env/steps.h"
#include "harness/history/history.h"

namespace holdfast {

class Standstill final : public StepObserver {
 public:
  // A new run, which is not watched yet.
  void reset();
  // From now on. `settled`: when all that is under way will have come.
  void begin(const Kernel& kernel, const History& history, Duration settled);
  bool watches() const { return watches_; }
  // Where the window that goes on may end, at the earliest.
  Duration window_end() const;
  // It ends now, at window_end() or later, and the next begins. True if it was as those before it.
  bool end_window(const Kernel& kernel, const History& history, Duration settled);

  void on_step(const Step& step) override;

 private:
  struct Range {
    std::int64_t least = 0;
    std::int64_t greatest = 0;
  };
  // What a thread asked, and what it heard but for numbers; and those numbers.
  using Exchanges = std::map<std::string, std::vector<Range>, std::less<>>;

  static bool is_covered(const Exchanges& now, const Exchanges& before);
  static void take_in(Exchanges& all, const Exchanges& more);
  bool somebody_got_anywhere(const History& history) const;

  bool watches_ = false;
  bool overflows_ = false;   // too many exchanges to be the same again and again
  std::size_t windows_ = 0;  // that were alike, or the first
  Duration watched_since_{0};
  Duration window_since_{0};
  Duration settled_{0};
  std::size_t first_event_ = 0;
  const Kernel* kernel_ = nullptr;
  std::uint64_t wall_readings_ = 0;  // before the window
  std::uint64_t said_ = 0;           // requests of the window that said what time of day it is
  Exchanges before_;
  Exchanges now_;
  std::string key_;
  std::vector<std::int64_t> numbers_;
};

}  // namespace holdfast
