// How: few steps where a match is near, the most where Lua would be lost, and an end for every mistake.
#include "harness/stores/redis/model/lua_pattern_steps.h"

#include <gtest/gtest.h>

#include <string>

namespace holdfast::redis {
namespace lua_pattern_steps_test {

constexpr std::uint64_t most = 1'000'000;

std::uint64_t steps(const std::string& text, const std::string& pattern,
                    PatternUse use = PatternUse::first_match) {
  return lua_pattern_steps(text, pattern, use, {.most = most});
}

TEST(LuaPatternSteps, a_match_that_is_found_at_once_takes_a_few) {
  EXPECT_LT(steps("8743c9c0-0795-4907-87fd-6c719a6b4586", "^(%x+)%-(%x+)%-(%x+)%-(%x+)%-(%x+)$"), 500U);
  EXPECT_LT(steps(std::string(100'000, 'a'), "a.-a"), 20U);
  EXPECT_LT(steps("a" + std::string(100'000, 'b'), "^b"), 5U);
}

TEST(LuaPatternSteps, what_gives_back_again_and_again_is_counted_up_to_the_most) {
  for (const char* const pattern : {".*.*b", ".-.-b", "(.*)(.*)(.*)b", "%b()", "[^x]*[^x]*b", "(a*)%1%1b"}) {
    const char letter = std::string(pattern) == "%b()" ? '(' : 'a';
    EXPECT_EQ(steps(std::string(20'000, letter), pattern), most + 1) << pattern;
  }
}

TEST(LuaPatternSteps, mistakes_come_to_an_end) {
  for (const char* const pattern :
       {"%", "[", "[a", "[^", "(", ")", "%1", "%b", "%bx", "%f", "%f[", "(()", "[]", "[%"}) {
    EXPECT_LT(steps("aaaa", pattern), 1000U) << pattern;
  }
  EXPECT_LT(steps(std::string(1000, 'a'), std::string(33, '(')), 1000U);
}

TEST(LuaPatternSteps, all_matches_are_gone_through) {
  const std::string text = "one two three four";
  EXPECT_LT(steps(text, "%w+"), steps(text, "%w+", PatternUse::all_matches));
  EXPECT_EQ(steps(text, "%w+", PatternUse::all_matches), steps(text, "%w+", PatternUse::all_without_anchor));
  EXPECT_LT(steps("^a^b^c", "^%w+", PatternUse::all_matches),
            steps("^a^b^c", "^%w+", PatternUse::all_without_anchor));
  EXPECT_LT(steps("aaa", "", PatternUse::all_matches), 20U);  // an empty match goes on by one
}

TEST(LuaPatternSteps, what_is_done_with_each_match_counts_too) {
  const auto with = [](std::uint64_t steps_per_match) {
    return lua_pattern_steps("aaaa", "a", PatternUse::all_matches,
                             {.steps_per_match = steps_per_match, .most = most});
  };
  EXPECT_EQ(with(100), with(0) + 400);
}

}  // namespace lua_pattern_steps_test
}  // namespace holdfast::redis
