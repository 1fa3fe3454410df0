// For tests: small matrices that nothing was run for.
#pragma once

#include <string>

#include "harness/matrix/matrix.h"

namespace holdfast {

// first: S of 1 run, V of 12,345; second-lock: L of 40, –.
namespace two_by_two_matrix {

inline LockEntry lock_named(std::string_view id) {
  LockEntry lock;
  lock.id = id;
  return lock;
}
inline const LockEntry first_lock = lock_named("first");
inline const LockEntry second_lock = lock_named("second-lock");

inline Scenario family(const std::string& name, std::uint32_t column) {
  Scenario scenario;
  scenario.name = "family-" + name;
  scenario.column = column;
  return scenario;
}

inline Cell cell(Letter letter, std::uint64_t runs) {
  Cell result;
  result.letter = letter;
  result.runs = runs;
  result.runs_by_letter[static_cast<std::size_t>(letter)] = runs;
  result.worst_seed = 1;
  return result;
}

inline Matrix two_by_two() {
  Matrix matrix;
  matrix.locks = {&first_lock, &second_lock};
  matrix.families = {family("none", 1), family("client-clock", 2)};
  matrix.cells = {cell(Letter::safe, 1), cell(Letter::violated, 12345), cell(Letter::stuck_bounded, 40),
                  Cell{}};
  return matrix;
}

inline ExpectedTable expected(const std::string& text) {
  return ExpectedTable::parse(text, "expected.json", {"first", "second-lock"}, {"none", "client-clock"});
}

}  // namespace two_by_two_matrix

namespace made_for_a_baseline {

inline LockEntry made_lock(std::string_view id) {
  LockEntry lock;
  lock.id = id;
  return lock;
}
inline const LockEntry one_lock = made_lock("one");
inline const LockEntry two_lock = made_lock("two");

// one: S under none, – under pause; two: L and S.
inline Matrix made_matrix() {
  Matrix matrix;
  matrix.locks = {&one_lock, &two_lock};
  for (const char* name : {"none", "pause"}) {
    Scenario family;
    family.name = std::string("family-") + name;
    family.title = std::string("title|of ") + name;
    matrix.families.push_back(family);
  }
  for (const Letter letter : {Letter::safe, Letter::not_applicable, Letter::stuck_bounded, Letter::safe}) {
    Cell cell;
    cell.letter = letter;
    cell.runs = letter == Letter::not_applicable ? 0 : 10;
    matrix.cells.push_back(cell);
  }
  return matrix;
}

}  // namespace made_for_a_baseline
}  // namespace holdfast
