// Lays out and compares hand-made matrices; nothing is run.
#include "harness/cli/matrix/matrix_text.h"

#include <gtest/gtest.h>

#include "harness/matrix/test_matrix.h"

namespace holdfast::cli {
namespace {

using two_by_two_matrix::expected;
using two_by_two_matrix::two_by_two;

std::string above_legend(const std::string& text) {
  return text.substr(0, text.find("\n\nS  ") + 1);
}

TEST(MatrixText, ShowsLettersWithTheNumberOfRunsBehindThem) {
  EXPECT_EQ(above_legend(matrix_text(two_by_two(), Terminal{})),
            "                   client\n"
            "lock         none  clock\n"
            "others\n"
            "first        S 1   V 12k\n"
            "second-lock  L 40  –\n");
}

TEST(MatrixText, BreaksIntoBlocksWhenItIsTooWide) {
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

TEST(MatrixText, TellsWhatDisagreesWithTheCommandThatShowsIt) {
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

TEST(MatrixText, SaysThatNothingDisagrees) {
  EXPECT_EQ(disagreements_text(two_by_two(), {}, Terminal{}), "Nothing disagrees with the expected table.\n");
}

TEST(MatrixText, NotesWhereReasoningWasWrongAndWhatNobodyExpects) {
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

}  // namespace
}  // namespace holdfast::cli
