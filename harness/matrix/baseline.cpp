#include "harness/matrix/baseline.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "harness/explore/shrink_cell.h"
#include "harness/explore/shrunk_run.h"
#include "harness/files/input_file.h"
#include "harness/files/output_file.h"
#include "harness/scenario/shelf/shelf.h"
#include "harness/text/bad_input.h"
#include "harness/text/bounded_json.h"
#include "harness/text/text_width.h"

namespace holdfast {
namespace {

using BaselineJson = nlohmann::ordered_json;
using CellKey = Baseline::key_type;

constexpr std::size_t largest_baseline = 64'000'000;  // that of all locks is 300 kB

CellKey key_of(const BaselineJson& cell) {
  return {cell.at("lock").get<std::string>(), cell.at("family").get<std::string>()};
}

CellKey key_of(const Matrix& matrix, std::size_t row, std::size_t column) {
  return {std::string(matrix.locks[row]->id), family_name(matrix.families[column])};
}

std::string name_of_family(const BaselineJson& family) {
  return family.at("name").get<std::string>();
}

std::string text_of_baseline(const std::string& path) {
  WholeFile file = read_whole_file(path, largest_baseline);
  if (file.error != 0) {
    throw BadInput(fmt::format("cannot read the baseline {}: {}; {}", path, file.problem,
                               file.error == ENOENT ? "\"--update-baseline\" writes one"
                                                    : "expected what \"--update-baseline\" wrote"));
  }
  return std::move(file.text);
}

// Everything that is read of it later is there and of the right type.
void check_baseline(const BaselineJson& json, const std::string& path) {
  const BaselineJson families = json.value("families", BaselineJson::array());
  if (json.at("format") != "holdfast-matrix" || json.at("version") != 1 || !json.at("cells").is_array() ||
      !families.is_array()) {
    throw BadInput(fmt::format("{} is no matrix that this holdfast reads", path));
  }
  for (const BaselineJson& cell : json.at("cells")) {
    key_of(cell);
    if (!letter_from(cell.at("letter").get<std::string>())) {
      throw BadInput(fmt::format("{} has a cell with the letter {}, which there is not", path,
                                 cell.at("letter").dump()));
    }
    if (cell.contains("runs")) {
      cell.at("runs").get<std::uint64_t>();
    }
  }
  for (const BaselineJson& family : families) {
    name_of_family(family);
  }
}

BaselineJson parsed_baseline(const std::string& path) {
  const BadInput refusal(fmt::format(
      "{} is no matrix in JSON; where there is no such file, \"--update-baseline\" writes one", path));
  std::optional<BaselineJson> json = parse_bounded_json<BaselineJson>(text_of_baseline(path));
  if (!json) {
    throw refusal;
  }
  try {
    check_baseline(*json, path);
  } catch (const nlohmann::json::exception&) {
    throw refusal;
  }
  return std::move(*json);
}

// The new ones in the place of those that have the same key, so that a diff shows what changed; else behind.
template <typename KeyOf>
void put_in_place(BaselineJson& list, const BaselineJson& newer, const KeyOf& key) {
  std::map<decltype(key(list)), std::size_t> places;
  for (std::size_t place = 0; place < list.size(); ++place) {
    places.try_emplace(key(list[place]), place);
  }
  for (const BaselineJson& each : newer) {
    const auto known = places.find(key(each));
    if (known == places.end()) {
      list.push_back(each);
    } else {
      list[known->second] = each;
    }
  }
}

// Only families of which there is a cell.
void forget_empty_families(BaselineJson& json) {
  std::set<std::string> with_cells;
  for (const BaselineJson& cell : json.at("cells")) {
    with_cells.insert(key_of(cell).second);
  }
  BaselineJson named = BaselineJson::array();
  for (const BaselineJson& family : json.at("families")) {
    if (with_cells.contains(name_of_family(family))) {
      named.push_back(family);
    }
  }
  json["families"] = std::move(named);
}

// Takes out what the run was asked for and did not find any more.
void forget_gone_cells(BaselineJson& json, const Baseline& cells_now, const CellSelection& is_selected,
                       UpdatedBaseline& update) {
  BaselineJson stay = BaselineJson::array();
  for (const BaselineJson& cell : json.at("cells")) {
    const CellKey key = key_of(cell);
    const bool is_there = cells_now.contains(key);
    if (!is_there && is_selected(key.first, key.second)) {
      ++update.gone;
      continue;
    }
    update.kept += is_there ? 0 : 1;
    stay.push_back(cell);
  }
  json["cells"] = std::move(stay);
}

void count_runs(BaselineJson& json) {
  std::uint64_t runs = 0;
  for (const BaselineJson& cell : json.at("cells")) {
    runs += cell.value("runs", std::uint64_t{0});
  }
  json["runs"] = runs;
}

Baseline letters_of(const Matrix& matrix) {
  Baseline letters;
  for (std::size_t row = 0; row < matrix.locks.size(); ++row) {
    for (std::size_t column = 0; column < matrix.families.size(); ++column) {
      letters[key_of(matrix, row, column)] = matrix.cell(row, column).letter;
    }
  }
  return letters;
}

// The least that still does it, as a picture.
void tell_why(Change& change, const Scenario& family, const LockEntry& lock, const Cell& cell,
              Simulation& simulation, const DrawStory& draw) {
  const auto shrunk = shrink_cell(simulation, family, lock, cell);
  if (!shrunk) {
    return;
  }
  change.size = shrunk->size_text();
  change.least = shrunk->least_text();
  change.story = draw(*shrunk, lock);
}

// Nothing if the cell is as it was.
std::optional<Change> change_of(const Matrix& matrix, std::size_t row, std::size_t column,
                                const Baseline& baseline, Simulation& simulation, const DrawStory& draw) {
  const LockEntry& lock = *matrix.locks[row];
  const Scenario& family = matrix.families[column];
  const Cell& cell = matrix.cell(row, column);
  const auto before = baseline.find(key_of(matrix, row, column));
  const bool is_known = before != baseline.end();
  if (cell.letter == (is_known ? before->second : Letter::not_applicable)) {
    return std::nullopt;
  }
  Change change;
  change.lock = lock.id;
  change.family = family_name(family);
  change.title = family.title;
  change.before = is_known ? std::optional(before->second) : std::nullopt;
  change.now = cell.letter;
  change.command = command_for(matrix, row, column);
  const bool is_bad_and_new = change.kind() == ChangeKind::appeared && cell.letter > Letter::stuck_bounded;
  if (change.is_worse() || is_bad_and_new) {
    tell_why(change, family, lock, cell, simulation, draw);
  }
  return change;
}

// What the baseline calls it is anybody's text.
Change gone_cell(const CellKey& key, Letter before) {
  Change change;
  change.lock = printable(key.first);
  change.family = printable(key.second);
  change.title = change.family;
  change.before = before;
  return change;
}

}  // namespace

ChangeKind Change::kind() const {
  if (!before || *before == Letter::not_applicable) {
    return ChangeKind::appeared;
  }
  if (!now || *now == Letter::not_applicable) {
    return ChangeKind::gone;
  }
  return *now > *before ? ChangeKind::worse : ChangeKind::better;
}

EarlierMatrix read_baseline(const std::string& path) {
  const BaselineJson json = parsed_baseline(path);
  EarlierMatrix earlier;
  for (const BaselineJson& cell : json.at("cells")) {
    earlier.letters[key_of(cell)] = *letter_from(cell.at("letter").get<std::string>());
  }
  const BaselineJson servers = json.value("servers", BaselineJson());
  earlier.servers = servers.is_string() ? printable(servers.get<std::string>()) : "";
  return earlier;
}

UpdatedBaseline updated_baseline(const std::string& path, const Matrix& matrix,
                                 const CellSelection& is_selected) {
  UpdatedBaseline update;
  update.text = matrix_json(matrix, nullptr);
  std::error_code problem;  // of looking: then the one of writing is told
  if (!std::filesystem::exists(path, problem) || !is_plain_output(path)) {
    return update;
  }
  BaselineJson json = parsed_baseline(path);
  const BaselineJson newer = BaselineJson::parse(update.text);
  forget_gone_cells(json, letters_of(matrix), is_selected, update);
  if (update.kept == 0) {
    return update;
  }
  if (!json.contains("families")) {
    json["families"] = BaselineJson::array();
  }
  put_in_place(json.at("cells"), newer.at("cells"), [](const BaselineJson& cell) { return key_of(cell); });
  put_in_place(json.at("families"), newer.at("families"), name_of_family);
  forget_empty_families(json);
  count_runs(json);
  if (json.value("seed", BaselineJson()) != newer.at("seed")) {
    json.erase("seed");  // there is no longer one that all cells began with
  }
  if (json.value("servers", BaselineJson()) != newer.value("servers", BaselineJson())) {
    json.erase("servers");  // nor one server that confirmed them all
  }
  update.text = json.dump(1, ' ', false, BaselineJson::error_handler_t::replace) + "\n";
  return update;
}

std::vector<Change> changes_since(const Matrix& matrix, const Baseline& baseline,
                                  const CellSelection& is_selected, const DrawStory& draw) {
  std::vector<Change> changes;
  Simulation simulation;
  for (std::size_t row = 0; row < matrix.locks.size(); ++row) {
    for (std::size_t column = 0; column < matrix.families.size(); ++column) {
      if (auto change = change_of(matrix, row, column, baseline, simulation, draw)) {
        changes.push_back(std::move(*change));
      }
    }
  }
  const Baseline cells_now = letters_of(matrix);
  for (const auto& [key, letter] : baseline) {
    if (letter != Letter::not_applicable && !cells_now.contains(key) && is_selected(key.first, key.second)) {
      changes.push_back(gone_cell(key, letter));
    }
  }
  std::ranges::stable_sort(changes, {}, &Change::kind);
  return changes;
}

}  // namespace holdfast
