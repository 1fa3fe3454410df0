// Makes a finding small: takes away clients, faults, rounds and choices, and shortens pauses and jumps, as
// long as the run still comes to the same letter, and shows what that says if it ever did.
//
// What is left cannot lose any single thing of these without being another story (as in Zeller's delta
// debugging, one element at a time). Choices go first: a finding that breaks with every message taking the
// same time is a scenario that breaks with any seed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/explore/campaign.h"

namespace holdfast {

struct ShrunkFinding {
  Scenario scenario;                  // with its faults at their places; expects the letter
  std::vector<LoggedChoice> choices;  // that are needed; none: the scenario does it with any seed
  bool reorders = false;              // with `choices`: messages must overtake each other
  Letter letter = Letter::safe;
  std::uint32_t steps = 0;        // what servers and storage were asked to do
  std::uint64_t runs = 0;         // that it took
  bool is_least = true;           // false: there was more to try than runs to try it with
  bool shows_its_letter = false;  // as in RunReport
  std::uint64_t fingerprint = 0;
  // "2 clients, 1 fault, 7 steps"
  std::string size_text() const;
  // "a pause of 9.7 s": what the faults are, with the least that still does it.
  std::string least_text() const;
};

// False if the finding does not come out again even as it was found: a bug of ours.
bool shrink(Simulation& simulation, const ExploreTarget& target, const ExploreFinding& finding,
            ShrunkFinding& result);

// Answers from what was kept, stream by stream, and with 0 where nothing was.
class KeptChoices final : public Strategy {
 public:
  explicit KeptChoices(const std::vector<LoggedChoice>& choices) : choices_(choices) {}
  void open(StreamId id, const StreamName& name) override;
  std::uint64_t pick(StreamId id, std::uint64_t options) override;

 private:
  const std::vector<LoggedChoice>& choices_;
  std::vector<std::vector<std::uint64_t>> streams_;  // what is left of each, last first
};

}  // namespace holdfast
