// What leaves a command becomes one sentence and an exit code.
#include "harness/cli/program.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <string>

#include "harness/cli/terminal/output.h"
#include "harness/kernel/require.h"
#include "harness/text/bad_input.h"

namespace holdfast::cli::program_test {

TEST(WithOneSentence, ABugInHoldfastHasAnExitCodeOfItsOwn) {
  Output output(STDOUT_FILENO);
  testing::internal::CaptureStderr();
  const int code = with_one_sentence(output, [] {
    require(false, "two and two are four");
    return 0;
  });
  const std::string told = testing::internal::GetCapturedStderr();
  EXPECT_EQ(code, 70);
  EXPECT_TRUE(told.starts_with("holdfast: a bug in holdfast: ")) << told;
  EXPECT_NE(told.find("two and two are four (harness/cli/program_test.cpp:"), std::string::npos) << told;
  EXPECT_EQ(std::count(told.begin(), told.end(), '\n'), 1) << told;
}

TEST(WithOneSentence, BadInputKeepsItsOwn) {
  Output output(STDOUT_FILENO);
  testing::internal::CaptureStderr();
  const int code = with_one_sentence(output, []() -> int { throw BadInput("no such lock"); });
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "holdfast: no such lock\n");
  EXPECT_EQ(code, 2);
}

}  // namespace holdfast::cli::program_test
