// Writes into a folder made for the test, and to places that are not there.
#include "harness/files/output_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "harness/text/bad_input.h"

namespace holdfast::output_file_test {

TEST(WriteFile, LeavesTheWholeContentAndNothingElse) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "holdfast-write-file";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  write_file((folder / "cells.json").string(), "{}\n", "the cells");
  std::ifstream file(folder / "cells.json");
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), "{}\n");
  const auto entries = std::filesystem::directory_iterator(folder);
  EXPECT_EQ(std::distance(begin(entries), end(entries)), 1);
  std::filesystem::remove_all(folder);
}

TEST(WriteFile, NamesThePlaceThatCannotBeWrittenTo) {
  try {
    write_file("/nowhere-at-all/cells.json", "{}", "the cells");
    FAIL() << "a missing folder went unnoticed";
  } catch (const BadInput& problem) {
    EXPECT_STREQ(problem.what(),
                 "cannot write the cells to /nowhere-at-all/cells.json: No such file or directory; choose a "
                 "place that can be written to");
  }
}

}  // namespace holdfast::output_file_test
