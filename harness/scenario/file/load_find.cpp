// Where scenarios are: see load.h.
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include "harness/files/input_file.h"
#include "harness/scenario/file/load.h"
#include "harness/text/suggest.h"

namespace holdfast {
namespace {

constexpr std::size_t largest_file = 1'000'000;
constexpr std::string_view extension = ".json";

bool is_path(const std::string& text) {
  return text.find('/') != std::string::npos || text.ends_with(extension);
}

// Not scenarios, though they stand beside them.
bool is_beside(const std::string& file_name) {
  return file_name.starts_with('.') || file_name.ends_with(".schema.json") || file_name == "expected.json" ||
         file_name == "survivors.json";
}

}  // namespace

std::string read_scenario_text(const std::string& path) {
  WholeFile file = read_whole_file(path, largest_file);
  if (file.error == EISDIR) {
    throw ScenarioError(fmt::format("{} is a directory; expected a scenario file", path));
  }
  if (file.error == EFBIG) {
    throw ScenarioError(
        fmt::format("{} is larger than 1 MB; expected a scenario file, which is a few kB", path));
  }
  if (file.error != 0) {
    throw ScenarioError(fmt::format("cannot read {}: {}; expected a scenario file", path, file.problem));
  }
  return std::move(file.text);
}

std::vector<std::string> scenario_names_in(const std::string& directory) {
  std::vector<std::string> names;
  std::error_code error;
  std::filesystem::directory_iterator entry(directory, error);
  for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
    const std::string file_name = entry->path().filename().string();
    if (file_name.ends_with(extension) && !is_beside(file_name)) {
      names.push_back(file_name.substr(0, file_name.size() - extension.size()));
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string find_scenario(const std::vector<std::string>& directories, const std::string& name_or_path) {
  if (is_path(name_or_path)) {
    return name_or_path;
  }
  std::vector<std::string> known;
  for (const std::string& directory : directories) {
    const std::vector<std::string> names = scenario_names_in(directory);
    if (std::find(names.begin(), names.end(), name_or_path) != names.end()) {
      return (std::filesystem::path(directory) / (name_or_path + std::string(extension))).string();
    }
    known.insert(known.end(), names.begin(), names.end());
  }
  const std::string hint = did_you_mean_text(name_or_path, known);
  throw ScenarioError(fmt::format(
      "there is no scenario \"{}\" in {}{}", name_or_path, enumeration(directories),
      hint.empty() ? "; `holdfast list scenarios` shows all, and a path to a file works too" : hint));
}

}  // namespace holdfast
