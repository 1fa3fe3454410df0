// Writes to real descriptors: a pipe whose reader has gone, /dev/full.
#include "harness/cli/terminal/output.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <csignal>

#include "harness/text/bad_input.h"

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

}  // namespace
}  // namespace holdfast::cli
