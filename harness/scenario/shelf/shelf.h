// Where scenarios stand, and how one is taken from there: each knows how a command names it.
//
// The directory is the one a user names (--scenarios, else HOLDFAST_SCENARIOS), else the one that belongs to
// the program: ../scenarios or ../share/holdfast/scenarios, seen from the directory of the executable.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/scenario/file/load_names.h"
#include "harness/scenario/scenario.h"

namespace holdfast {

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

 private:
  // "family-pause --scenarios 'my own'"
  std::string typed_as(const std::string& name_or_path) const;

  std::optional<std::string> asked_for_;
};

// "pause" of family-pause: what the matrix and the expected table call it.
std::string family_name(const Scenario& family);

// The ids scenarios may use, mutants among them.
ScenarioNames known_names();

}  // namespace holdfast
