// Lays out and compares hand-made matrices; nothing is run.
#include "harness/cli/matrix/matrix.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace holdfast::cli {
namespace {

LockEntry lock_named(std::string_view id) {
  LockEntry lock;
  lock.id = id;
  return lock;
}
const LockEntry first_lock = lock_named("first");
const LockEntry second_lock = lock_named("second-lock");

Scenario family(const std::string& name, std::uint32_t column) {
  Scenario scenario;
  scenario.name = "family-" + name;
  scenario.column = column;
  return scenario;
}

Cell cell(Letter letter, std::uint64_t runs) {
  Cell result;
  result.letter = letter;
  result.runs = runs;
  result.runs_by_letter[static_cast<std::size_t>(letter)] = runs;
  result.worst_seed = 1;
  return result;
}

Matrix two_by_two() {
  Matrix matrix;
  matrix.locks = {&first_lock, &second_lock};
  matrix.families = {family("none", 1), family("client-clock", 2)};
  matrix.cells = {cell(Letter::safe, 1), cell(Letter::violated, 12345), cell(Letter::stuck_bounded, 40),
                  Cell{}};
  return matrix;
}

ExpectedTable expected(const std::string& text) {
  return ExpectedTable::parse(text, "expected.json", {"first", "second-lock"}, {"none", "client-clock"});
}

std::string above_legend(const std::string& text) {
  return text.substr(0, text.find("\n\nS  ") + 1);
}

TEST(Matrix, ShowsLettersWithTheNumberOfRunsBehindThem) {
  EXPECT_EQ(above_legend(matrix_text(two_by_two(), Terminal{})),
            "                   client\n"
            "lock         none  clock\n"
            "others\n"
            "first        S 1   V 12k\n"
            "second-lock  L 40  –\n");
}

TEST(Matrix, BreaksIntoBlocksWhenItIsTooWide) {
  EXPECT_EQ(above_legend(matrix_text(two_by_two(), Terminal{false, 20, false})),
            "\n"
            "lock         none\n"
            "others\n"
            "first        S 1\n"
            "second-lock  L 40\n"
            "\n"
            "             client\n"
            "lock         clock\n"
            "others\n"
            "first        V 12k\n"
            "second-lock  –\n");
}

TEST(Matrix, FindsWhatDisagrees) {
  const Matrix matrix = two_by_two();
  const auto list = disagreements(matrix, expected(R"({"cells": {
      "first": {"none": {"letter": "S"}, "client-clock": {"letter": "S"}},
      "second-lock": {"client-clock": {"letter": "-"}}}})"));
  ASSERT_EQ(list.size(), 1U);
  EXPECT_EQ(disagreements_text(matrix, list, Terminal{}),
            "What disagrees with the expected table: 1\n"
            "  first under client-clock: expected S, got V\n"
            "    holdfast run family-client-clock --lock first --seed 1\n");
}

TEST(Matrix, SaysThatNothingDisagrees) {
  EXPECT_EQ(disagreements_text(two_by_two(), {}, Terminal{}), "Nothing disagrees with the expected table.\n");
}

TEST(Matrix, NotesWhereReasoningWasWrongAndWhatNobodyExpects) {
  const ExpectedTable table = expected(R"({"cells": {
      "first": {"none": {"letter": "S"}, "client-clock": {"letter": "V", "reasoned": "S", "note": "it jumps"}}}})");
  EXPECT_EQ(notes_text(two_by_two(), table, false),
            "Where reasoning was wrong before it was measured: 1 (--notes lists them)\n"
            "Cells of which nothing is expected: 2 (--notes lists them)\n");
  EXPECT_EQ(notes_text(two_by_two(), table, true),
            "Where reasoning was wrong before it was measured: 1\n"
            "  first under client-clock: reasoned S, is V: it jumps\n"
            "Cells of which nothing is expected: 2\n"
            "  second-lock under none\n"
            "  second-lock under client-clock\n");
}

TEST(Matrix, WritesEveryCellAsJson) {
  const auto json = nlohmann::json::parse(matrix_json(two_by_two(), nullptr));
  ASSERT_EQ(json.at("cells").size(), 4U);
  EXPECT_EQ(json.at("runs"), 12386);
  EXPECT_EQ(json.at("cells").at(1).at("letter"), "V");
  EXPECT_EQ(json.at("cells").at(1).at("runs_by_letter").at("V"), 12345);
  EXPECT_EQ(json.at("cells").at(1).at("worst"), "holdfast run family-client-clock --lock first --seed 1");
  EXPECT_TRUE(json.at("cells").at(3).at("worst").is_null());
}

}  // namespace
}  // namespace holdfast::cli
