// Writes to real descriptors: a pipe whose reader has gone, /dev/full, a folder made for the test.
#include "harness/cli/terminal/output.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <filesystem>
#include <fstream>

#include "harness/cli/terminal/bad_input.h"

namespace holdfast::cli {
namespace {

TEST(Output, WritesWhatWasPrintedInOrder) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  Output output(ends[1]);
  output.print("one ");
  output.print("two");
  output.flush();
  std::array<char, 16> read{};
  EXPECT_EQ(::read(ends[0], read.data(), read.size()), 7);
  EXPECT_STREQ(read.data(), "one two");
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST(Output, IsQuietWhenTheReaderHasGone) {
  const auto before = std::signal(SIGPIPE, SIG_IGN);
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  ::close(ends[0]);
  Output output(ends[1]);
  output.print("nobody reads this");
  EXPECT_NO_THROW(output.flush());
  output.print("nor this");
  EXPECT_NO_THROW(output.flush());
  ::close(ends[1]);
  std::signal(SIGPIPE, before);
}

TEST(Output, SaysInOneSentenceThatTheDiskIsFull) {
  const int full = ::open("/dev/full", O_WRONLY);
  ASSERT_GE(full, 0);
  Output output(full);
  output.print("text");
  try {
    output.flush();
    FAIL() << "a full disk went unnoticed";
  } catch (const BadInput& problem) {
    EXPECT_STREQ(problem.what(),
                 "cannot write to standard output: No space left on device; make room there or send it "
                 "elsewhere");
  }
  ::close(full);
}

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

}  // namespace
}  // namespace holdfast::cli
