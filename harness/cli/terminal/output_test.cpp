// Writes to real descriptors: a pipe whose reader has gone, /dev/full, none at all.
#include "harness/cli/terminal/output.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>

#include "harness/cli/terminal/terminal.h"
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

TEST(StandardError, ThatCannotBeWrittenToIsNoReasonToEnd) {
  const int before = ::dup(STDERR_FILENO);
  const int full = ::open("/dev/full", O_WRONLY);
  ASSERT_GE(full, 0);
  ::dup2(full, STDERR_FILENO);
  EXPECT_NO_THROW(say_on_standard_error("nobody hears this\n"));
  EXPECT_NO_THROW({
    ProgressBar progress("cells", 3);
    progress.advance_to(1);
  });
  ::close(STDERR_FILENO);
  EXPECT_NO_THROW(say_on_standard_error("nor this\n"));
  ::dup2(before, STDERR_FILENO);
  ::close(before);
  ::close(full);
}

TEST(StandardDescriptors, ThatAreClosedAreTakenButStillNothingToReadOrWrite) {
  const pid_t child = ::fork();
  if (child == 0) {
    for (const int descriptor : {0, 1, 2}) {
      ::close(descriptor);
    }
    occupy_standard_descriptors();
    char letter = 0;
    const bool reads = ::read(0, &letter, 1) >= 0;
    const bool writes = ::write(1, "x", 1) >= 0 || ::write(2, "x", 1) >= 0;
    const int next = ::open("/dev/null", O_WRONLY);
    ::_exit(!reads && !writes && next > 2 ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

}  // namespace
}  // namespace holdfast::cli
