// Words with and without what a shell takes apart.
#include "harness/text/shell_word.h"

#include <gtest/gtest.h>

namespace holdfast::shell_word_test {

TEST(ShellWord, QuotesOnlyWhatAShellWouldTakeApart) {
  EXPECT_EQ(shell_word("scenarios/mine.json"), "scenarios/mine.json");
  EXPECT_EQ(shell_word("my story.json"), "'my story.json'");
  EXPECT_EQ(shell_word("it's"), "'it'\\''s'");
}

}  // namespace holdfast::shell_word_test
