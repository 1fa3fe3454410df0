// Survivors that somebody has thought about (scenarios/survivors.json), one by one.
//
//   { "version": 1,
//     "explained": [ { "mutant": "sent-twice@release:EVAL", "locks": ["redis-px-cad", "redlock"],
//                      "equivalent": true, "why": "the second finds nothing to delete" } ] }
//
// A lock that is named there has all its survivors there; of others nothing is claimed. `equivalent`: nothing
// could find it, for it is no worse than the lock itself. Else something could, and nobody does yet.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/mutate/score/score.h"
#include "harness/scenario/shelf/shelf.h"

namespace holdfast {

// Of the file.
inline constexpr int survivors_version = 1;

struct Explanation {
  std::string mutant;
  std::vector<std::string> locks;
  bool is_equivalent = false;
  std::string why;
};

class ExplainedSurvivors {
 public:
  // Reads the text of a file; `file` is what sentences call it. Throws BadInput with one sentence.
  static ExplainedSurvivors parse(std::string_view text, const std::string& file);

  // nullptr: nobody has.
  const Explanation* find(std::string_view lock, std::string_view mutant) const;
  // Of which something is explained, each once.
  std::vector<std::string> locks() const;
  // What is not as the file says, of the locks that were scored; a sentence each. `all`: every mutant of
  // theirs was.
  std::vector<std::string> disputes(const std::vector<LockScore>& scores, bool all) const;

 private:
  std::vector<Explanation> explanations_;
};

// survivors.json of the shelf; nothing is explained if it has none.
ExplainedSurvivors explained_survivors(const Shelf& shelf);

}  // namespace holdfast
