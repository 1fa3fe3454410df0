// Where scenarios stand, and how the commands take them down.
//
// The directory is the one a user names (--scenarios, else HOLDFAST_SCENARIOS), else the one that belongs to
// the program: ../scenarios or ../share/holdfast/scenarios, seen from the directory of the executable.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/cli/matrix/expected.h"
#include "harness/scenario/file/load_names.h"
#include "harness/scenario/scenario.h"
#include "locks/catalog.h"

namespace holdfast::cli {

// A scenario with the text it was read from, for logs.
struct ShelvedScenario {
  Scenario scenario;
  std::string path;
  std::string text;
};

class Shelf {
 public:
  explicit Shelf(std::optional<std::string> asked_for) : asked_for_(std::move(asked_for)) {}

  const std::optional<std::string>& asked_for() const { return asked_for_; }
  // Throws BadInput with one sentence if there is none. All below do, or throw ScenarioError.
  std::string directory() const;
  // By name or by path; a path needs no directory.
  ShelvedScenario take(const std::string& name_or_path) const;
  std::vector<std::string> names() const;
  std::vector<Scenario> all() const;
  // The columns of the matrix, in order.
  std::vector<Scenario> families() const;
  // None if there is no expected.json.
  std::optional<ExpectedTable> expected() const;

 private:
  std::optional<std::string> asked_for_;
};

// "pause" of family-pause: what the matrix and the expected table call it.
std::string family_name(const Scenario& family);

// The ids scenarios may use, mutants among them.
ScenarioNames known_names();
std::vector<std::string> lock_ids();
std::vector<std::string> mutant_ids();
// Of the catalog, or a mutant. Throws BadInput with a "did you mean".
const LockEntry& lock_called(const std::string& id);

}  // namespace holdfast::cli
