#include "harness/matrix/matrix.h"

#include <fmt/format.h>

#include <array>
#include <memory>
#include <nlohmann/json.hpp>

#include "harness/explore/parallel.h"
#include "harness/matrix/cell_limits.h"
#include "harness/run/replay.h"
#include "harness/scenario/shelf/shelf.h"

namespace holdfast {
namespace {

using Json = nlohmann::ordered_json;

// What the letter rests on.
Json scope_json(const Matrix& matrix, const Cell& cell, const Scenario& family) {
  Json json{{"shapes", Json::array()}, {"not_tried", limits_of(cell, family, matrix.depth)}};
  for (const ShapeScope& scope : cell.shapes) {
    json["shapes"].push_back({{"shape", scope.shape},
                              {"runs", scope.runs},
                              {"seeds", scope.seeds},
                              {"placements", scope.placements},
                              {"left_out", scope.repetitions},
                              {"steps_beyond", scope.beyond}});
  }
  return json;
}

Json cell_json(const Matrix& matrix, std::size_t row, std::size_t column, const ExpectedTable* expected) {
  const Cell& cell = matrix.cell(row, column);
  const LockEntry& lock = *matrix.locks[row];
  const std::string family = family_name(matrix.families[column]);
  Json json{{"lock", lock.id}, {"family", family}, {"letter", to_text(cell.letter)}, {"runs", cell.runs}};
  json["runs_by_letter"] = Json::object();
  for (std::size_t letter = 0; letter < cell.runs_by_letter.size(); ++letter) {
    if (cell.runs_by_letter[letter] > 0) {
      json["runs_by_letter"][std::string(to_text(static_cast<Letter>(letter)))] = cell.runs_by_letter[letter];
    }
  }
  json["inconclusive_runs"] = cell.inconclusive_runs;
  json["broken_claims"] = cell.broken_claims;
  json["loss"] = to_text(cell.loss);
  const ExpectedCell* wanted = expected == nullptr ? nullptr : expected->find(lock.id, family);
  json["expected"] = wanted == nullptr ? Json(nullptr) : Json(to_text(wanted->letter));
  json["longest_wait_ns"] = cell.longest_wait.count();
  const std::string command = command_for(matrix, row, column);
  json["worst"] = command.empty() ? Json(nullptr) : Json(command);
  json["scope"] = scope_json(matrix, cell, matrix.families[column]);
  return json;
}

}  // namespace

std::uint64_t Matrix::runs() const {
  std::uint64_t sum = 0;
  for (const Cell& each : cells) {
    sum += each.runs;
  }
  return sum;
}

void fill(Matrix& matrix, std::size_t jobs, const std::function<void(std::size_t done)>& on_done) {
  matrix.cells.assign(matrix.locks.size() * matrix.families.size(), Cell{});
  const auto make_worker = [&matrix]() -> ParallelWorker {
    const auto simulation = std::make_shared<Simulation>();
    return [&matrix, simulation](std::size_t index) {
      const Scenario& family = matrix.families[index % matrix.families.size()];
      const LockEntry& lock = *matrix.locks[index / matrix.families.size()];
      matrix.cells[index] = sweep(*simulation, family, lock, matrix.first_seed, matrix.depth);
    };
  };
  in_parallel(matrix.cells.size(), jobs, make_worker, on_done);
}

std::vector<Disagreement> disagreements(const Matrix& matrix, const ExpectedTable& expected) {
  std::vector<Disagreement> list;
  for (std::size_t row = 0; row < matrix.locks.size(); ++row) {
    for (std::size_t column = 0; column < matrix.families.size(); ++column) {
      const ExpectedCell* wanted = expected.find(matrix.locks[row]->id, family_name(matrix.families[column]));
      if (wanted != nullptr && wanted->letter != matrix.cell(row, column).letter) {
        list.push_back({row, column, wanted->letter});
      }
    }
  }
  return list;
}

std::string command_for(const Matrix& matrix, std::size_t row, std::size_t column) {
  const Cell& cell = matrix.cell(row, column);
  if (cell.runs == 0) {
    return {};
  }
  return replay_command(worst_scenario(matrix.families[column], cell), *matrix.locks[row], cell.worst_seed,
                        cell.worst_placement);
}

std::string matrix_json(const Matrix& matrix, const ExpectedTable* expected) {
  Json json{
      {"format", "holdfast-matrix"}, {"version", 1}, {"seed", matrix.first_seed}, {"runs", matrix.runs()}};
  if (!matrix.servers.empty()) {
    json["servers"] = matrix.servers;
  }
  json["families"] = Json::array();
  for (const Scenario& family : matrix.families) {
    json["families"].push_back({{"name", family_name(family)}, {"title", family.title}});
  }
  json["cells"] = Json::array();
  for (std::size_t row = 0; row < matrix.locks.size(); ++row) {
    for (std::size_t column = 0; column < matrix.families.size(); ++column) {
      json["cells"].push_back(cell_json(matrix, row, column, expected));
    }
  }
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace holdfast
