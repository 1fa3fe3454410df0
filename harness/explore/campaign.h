// Many runs of one target by one strategy: how many came to which letter, and the first run of each kind that
// broke the lock.
//
// A piece of a campaign (from run `first`, `count` runs) depends on its numbers alone, so pieces can be
// shared out among threads and machines and put together again in any order. A strategy that learns makes one
// piece.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "harness/explore/choice_log.h"
#include "harness/explore/explorer.h"
#include "harness/explore/target.h"

namespace holdfast {

struct ExploreFinding {
  Letter letter = Letter::safe;
  std::uint64_t run = 0;
  std::vector<FaultSpec> faults;      // where they struck
  std::vector<LoggedChoice> choices;  // but those about faults
  bool reordered = false;             // messages overtook each other

  // Kinds of faults, sorted: "crash, gc-pause"; findings of the same kinds and letter are taken for the same.
  std::string kinds() const;
};

struct PieceResult {
  std::uint64_t runs = 0;
  std::array<std::uint64_t, 7> runs_by_letter{};  // indexed by Letter
  std::uint64_t marks = 0;                        // which were reached
  bool all_of_them = false;                       // there are no more runs than these
  std::vector<ExploreFinding> findings;
};

struct PieceRequest {
  const ExploreTarget* target = nullptr;
  const ExplorerEntry* explorer = nullptr;
  std::uint64_t seed = 1;
  std::uint64_t first = 0;
  std::uint64_t count = 0;
  bool stop_at_first = false;              // a finding is enough
  Letter stop_at = Letter::stuck_bounded;  // if it is of this letter or a worse one
  std::function<bool()> is_time_up;        // asked now and then; none: never
};

PieceResult explore_piece(Simulation& simulation, const PieceRequest& request);
// As if both had been one. `other` comes later.
void add(PieceResult& result, PieceResult other);

}  // namespace holdfast
