// How: the texts of hand-made matrices; and one cell of a real lock, whose shrunk run is known.
#include "harness/cli/matrix/matrix_why.h"

#include <gtest/gtest.h>

#include "harness/scenario/file/load.h"
#include "harness/scenario/shelf/shelf.h"
#include "locks/lookup/lookup.h"

namespace holdfast::cli {
namespace matrix_why_test {

Matrix real_matrix(const std::vector<std::string>& locks, const std::vector<std::string>& families) {
  Matrix matrix;
  for (const std::string& lock : locks) {
    matrix.locks.push_back(&lock_called(lock));
  }
  for (const std::string& family : families) {
    matrix.families.push_back(
        load_scenario(HOLDFAST_SOURCE_DIR "/scenarios/family-" + family + ".json", known_names()));
  }
  fill(matrix, 1, [](std::size_t) {});
  return matrix;
}

TEST(MatrixWhy, TellsTheFirstOfTheWorstCellsOfEachLockThatIsNotSafe) {
  const Matrix matrix = real_matrix({"redis-px-cad", "local-mutex"}, {"none", "pause", "crash"});
  std::size_t told = 0;
  const std::vector<WorstCell> worst =
      worst_cells(matrix, 2, [&](std::size_t, std::size_t all) { told = all; });
  ASSERT_FALSE(worst.empty());
  EXPECT_EQ(told, worst.size());
  EXPECT_EQ(worst[0].row, 0U);
  EXPECT_EQ(worst[0].column, 1U);
  const std::string text = worst_cells_text(matrix, worst, std::nullopt, Terminal{});
  const std::string expected_start = "The worst cell of each lock, and why\n  redis-px-cad under pause: V, " +
                                     std::string(to_sentence(Letter::violated)) +
                                     "\n    2 clients, 1 fault, ";
  EXPECT_EQ(text.substr(0, expected_start.size()), expected_start);
  EXPECT_NE(text.find(": gc-pause on c1 for "), std::string::npos) << text;
  EXPECT_NE(text.find("\n    found as: " + command_for(matrix, 0, 1) + "\n"), std::string::npos) << text;
  EXPECT_NE(worst_cells_text(matrix, worst, "my own", Terminal{}).find(" --scenarios 'my own'\n"),
            std::string::npos);
}

TEST(MatrixWhy, SaysThatThereIsNothingToTell) {
  const Matrix matrix = real_matrix({"redis-px-cad"}, {"none"});
  const std::vector<WorstCell> worst = worst_cells(matrix, 1, [](std::size_t, std::size_t) {});
  EXPECT_TRUE(worst.empty());
  EXPECT_EQ(worst_cells_text(matrix, worst, std::nullopt, Terminal{}),
            "No lock is worse than safe anywhere.\n\n");
}

}  // namespace matrix_why_test
}  // namespace holdfast::cli
