// The matrix: locks × families of faults, each cell the worst letter of all its runs.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/explore/sweep.h"
#include "harness/matrix/expected.h"

namespace holdfast {

struct Matrix {
  std::vector<const LockEntry*> locks;  // rows
  std::vector<Scenario> families;       // columns
  std::vector<Cell> cells;              // row by row
  std::uint64_t first_seed = 1;
  SweepDepth depth = SweepDepth::usual;
  std::string servers;  // that confirmed its stories, "redis-server 7.0.15"; empty: none were asked

  const Cell& cell(std::size_t row, std::size_t column) const {
    return cells[row * families.size() + column];
  }
  std::uint64_t runs() const;
};

// Fills matrix.cells on `jobs` threads; the result does not depend on how many there are.
void fill(Matrix& matrix, std::size_t jobs, const std::function<void(std::size_t done)>& on_done);

// A cell whose letter is not the expected one.
struct Disagreement {
  std::size_t row = 0;
  std::size_t column = 0;
  Letter expected = Letter::not_applicable;
};
std::vector<Disagreement> disagreements(const Matrix& matrix, const ExpectedTable& expected);

// "holdfast run family-pause --lock redis-px-cad --seed 1 --place 1@c1:12"; empty if the cell was not run.
std::string command_for(const Matrix& matrix, std::size_t row, std::size_t column);

// Every cell for programs.
std::string matrix_json(const Matrix& matrix, const ExpectedTable* expected);

}  // namespace holdfast
