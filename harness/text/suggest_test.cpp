// Typing errors and the words that were meant, as a table.
#include "harness/text/suggest.h"

#include <gtest/gtest.h>

#include <vector>

namespace holdfast {
namespace {

const std::vector<std::string> ids{
    "redis-px-del", "redis-px-cad", "redis-px-cad-wait", "redlock", "redisson-fair", "V", "F", "S"};

std::string meant(std::string_view word) {
  return did_you_mean(word, ids).value_or("(nothing)");
}

TEST(Suggest, FindsTheWordThatFewEditsAway) {
  EXPECT_EQ(meant("redis-px-cda"), "redis-px-cad");
  EXPECT_EQ(meant("redis-px-ca"), "redis-px-cad");
  EXPECT_EQ(meant("redis_px_del"), "redis-px-del");
  EXPECT_EQ(meant("REDLOCK"), "redlock");
  EXPECT_EQ(meant("redlcok"), "redlock");
  EXPECT_EQ(meant("v"), "V");
}

TEST(Suggest, FallsBackToTheShortestCandidateThatContainsTheWord) {
  EXPECT_EQ(meant("wait"), "redis-px-cad-wait");
  EXPECT_EQ(meant("fair"), "redisson-fair");
  EXPECT_EQ(meant("red"), "redlock");
}

TEST(Suggest, SaysNothingRatherThanSomethingFarFetched) {
  EXPECT_EQ(meant("zookeeper"), "(nothing)");
  EXPECT_EQ(meant("X"), "(nothing)");
  EXPECT_EQ(meant(""), "(nothing)");
  EXPECT_EQ(meant(std::string(100'000, 'r')), "(nothing)");
  EXPECT_FALSE(did_you_mean("redlock", {}));
}

TEST(Suggest, AmongEqualsTheEarlierCandidateWins) {
  const std::vector<std::string> twins{"abcx", "abcy"};
  EXPECT_EQ(did_you_mean("abcz", twins), "abcx");
}

TEST(Suggest, WordsThePartsOfASentence) {
  EXPECT_EQ(did_you_mean_text("redlok", ids), "; did you mean \"redlock\"?");
  EXPECT_EQ(did_you_mean_text("zookeeper", ids), "");
  EXPECT_EQ(enumeration({}), "");
  EXPECT_EQ(enumeration(std::vector<std::string>{"a"}), "a");
  EXPECT_EQ(enumeration(std::vector<std::string>{"a", "b", "c"}), "a, b or c");
  EXPECT_EQ(enumeration(std::vector<std::string>{"a", "b"}, "and"), "a and b");
}

}  // namespace
}  // namespace holdfast
