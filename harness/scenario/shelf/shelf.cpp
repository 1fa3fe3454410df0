#include "harness/scenario/shelf/shelf.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "harness/scenario/file/load.h"
#include "harness/text/bad_input.h"
#include "harness/text/shell_word.h"
#include "locks/lookup/lookup.h"

namespace holdfast {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view family_prefix = "family-";

bool directory_exists(const fs::path& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

std::string named_by_user(const std::string& directory, std::string_view how) {
  if (!directory_exists(directory)) {
    throw BadInput(
        fmt::format("{} says that scenarios are in \"{}\", which is no directory", how, directory));
  }
  return directory;
}

}  // namespace

std::string Shelf::directory() const {
  if (asked_for_) {
    return named_by_user(*asked_for_, "--scenarios");
  }
  if (const char* from_environment = std::getenv("HOLDFAST_SCENARIOS");
      from_environment != nullptr && *from_environment != '\0') {
    return named_by_user(from_environment, "HOLDFAST_SCENARIOS");
  }
  std::error_code ignored;
  const fs::path above = fs::read_symlink("/proc/self/exe", ignored).parent_path().parent_path();
  for (const fs::path& place : {above / "scenarios", above / "share" / "holdfast" / "scenarios"}) {
    if (directory_exists(place)) {
      return place.string();
    }
  }
  throw BadInput(fmt::format(
      "there are no scenarios in {}; say where they are with --scenarios DIR or HOLDFAST_SCENARIOS",
      (above / "scenarios").string()));
}

std::string Shelf::typed_as(const std::string& name_or_path) const {
  return shell_word(name_or_path) + (asked_for_ ? " --scenarios " + shell_word(*asked_for_) : "");
}

ShelvedScenario Shelf::take(const std::string& name_or_path) const {
  const bool is_path = name_or_path.find('/') != std::string::npos || name_or_path.ends_with(".json");
  const std::vector<std::string> directories =
      is_path ? std::vector<std::string>{} : std::vector{directory()};
  ShelvedScenario taken;
  taken.path = find_scenario(directories, name_or_path);
  taken.text = read_scenario_text(taken.path);
  taken.scenario =
      parse_scenario(taken.text, taken.path, fs::path(taken.path).stem().string(), known_names());
  taken.scenario.typed_as = typed_as(name_or_path);
  return taken;
}

std::vector<std::string> Shelf::names() const {
  return scenario_names_in(directory());
}

std::vector<Scenario> Shelf::all() const {
  const std::string where = directory();
  const ScenarioNames known = known_names();
  std::vector<Scenario> scenarios;
  for (const std::string& name : scenario_names_in(where)) {
    scenarios.push_back(load_scenario((fs::path(where) / (name + ".json")).string(), known));
    scenarios.back().typed_as = typed_as(name);
  }
  return scenarios;
}

std::vector<Scenario> Shelf::families() const {
  std::vector<Scenario> families = all();
  std::erase_if(families, [](const Scenario& scenario) { return !scenario.is_family(); });
  std::stable_sort(families.begin(), families.end(),
                   [](const Scenario& a, const Scenario& b) { return *a.column < *b.column; });
  return families;
}

std::string family_name(const Scenario& family) {
  const std::string_view name = family.name;
  return std::string(name.starts_with(family_prefix) ? name.substr(family_prefix.size()) : name);
}

ScenarioNames known_names() {
  ScenarioNames names;
  names.locks = lock_ids();
  const std::vector<std::string> mutants = mutant_ids();
  names.locks.insert(names.locks.end(), mutants.begin(), mutants.end());
  for (const LockEntry* const lock : every_lock()) {
    names.stores.emplace(lock->id, lock->needs.store);
  }
  return names;
}

}  // namespace holdfast
