// Many runs of one target by one strategy: how many came to which letter, and the first run of each kind that
// broke the lock, and the first of each that shows what its letter says.
//
// A piece of a campaign (from run `first`, `count` runs) depends on its numbers alone, so pieces can be
// shared out among threads and machines and put together again in any order. A strategy that learns makes one
// piece.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/explore/choice_log.h"
#include "harness/explore/strategies/explorer.h"
#include "harness/explore/target.h"

namespace holdfast {

struct ExploreFinding {
  Letter letter = Letter::safe;
  std::uint64_t run = 0;
  std::string shape;                  // in which it was; empty: the plain one
  std::vector<FaultSpec> faults;      // where they struck
  std::vector<LoggedChoice> choices;  // all but those about faults
  bool reordered = false;             // messages overtook each other
  bool shows_its_letter = false;      // as in RunReport

  // Kinds of faults, sorted: "crash, gc-pause"; findings of the same kinds and letter are taken for the same.
  std::string kinds() const;
};

struct PieceResult {
  std::uint64_t runs = 0;
  LetterCounts runs_by_letter{};  // indexed by Letter
  std::uint64_t marks = 0;        // which were reached
  bool has_every_run = false;     // there are no more runs than these
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
  std::function<bool()> is_time_up;        // asked before each run; none: never
  // Shows a run again, if holdfast proves wrong in the midst of it; none: what is around the piece does.
  std::function<std::string(std::uint64_t run)> command{};
};

PieceResult explore_piece(Simulation& simulation, const PieceRequest& request);
// Only run `number`, whatever its letter; a strategy that learns must make the runs before it as well. None:
// the strategy has no such run.
std::optional<ExploreFinding> explore_run(Simulation& simulation, const PieceRequest& request,
                                          std::uint64_t number);
// Adds a piece: `result` becomes that of both, as if they had been one. The runs of `other` come later.
void add(PieceResult& result, PieceResult other);

// Kinds of faults, sorted: "crash, gc-pause".
std::string kinds_text(const std::vector<FaultSpec>& faults, std::string_view between);

// Pieces of one target put together in the order of their runs, whatever the order in which they are done.
// Only those that wait for an earlier one are kept, so memory does not grow with the number of runs.
class PieceSum {
 public:
  // `place` counts the pieces from 0; each comes once.
  void take(std::uint64_t place, PieceResult result);
  // Pieces that never came (time was up) are passed over.
  PieceResult finish();
  std::size_t waiting() const { return waiting_.size(); }

 private:
  PieceResult sum_;
  std::uint64_t next_ = 0;
  std::map<std::uint64_t, PieceResult> waiting_;
};

}  // namespace holdfast
