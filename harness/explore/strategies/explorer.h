// A strategy that makes one run after another of the same lock and scenario, to find one that breaks it.
//
// What it is asked for (harness/kernel/choices.h): `fault(entry,process)`, whether that fault of the menu
// strikes at this step; `defer(from,other)`, whether a message lets one of `other` overtake it;
// `latency(from,to)` and `random(process,thread)`. Explorers differ in how they answer; each
// has a file beside this one.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/run/simulation.h"

namespace holdfast {

// What a run without faults showed of the lock: sizes that some strategies need.
struct ExploreProbe {
  std::uint64_t fault_questions = 0;
  std::uint64_t questions = 0;  // of all streams
  std::size_t processes = 0;
  std::size_t menu = 0;
  std::uint32_t most_faults = 0;
};

class Explorer : public Strategy {
 public:
  // The choices of run `number` begin. False if there is no such run: all have been made.
  virtual bool begin(std::uint64_t number) = 0;
  // In which of so many shapes the run that began is made; 0 is the plain one.
  virtual std::size_t pick_shape(std::size_t /*count*/) { return 0; }
  // The run is over; `coverage` is a set of numbers that stand for the states it came to.
  virtual void end(const RunReport&, const Choices&, const std::vector<std::uint32_t>& /*coverage*/) {}
  virtual bool wants_coverage() const { return false; }
};

struct ExplorerEntry {
  std::string_view name;
  std::string_view summary;
  std::unique_ptr<Explorer> (*make)(std::uint64_t seed, const ExploreProbe& probe) = nullptr;
  bool ends_by_itself = false;  // after all runs there are
  bool learns = false;          // run n depends on the runs before it, so they cannot be shared out
  bool tries_orders =
      false;  // every order of messages; needs a small scope and latencies that are all the same
};

std::span<const ExplorerEntry> all_explorers();
// nullptr if there is none.
const ExplorerEntry* find_explorer(std::string_view name);

}  // namespace holdfast
