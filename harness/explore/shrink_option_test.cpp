// How: something breaks from a known value on; what is kept in the end is that value.
#include "harness/explore/shrink_option.h"

#include <gtest/gtest.h>

#include <array>

namespace holdfast {
namespace shrink_option_test {

template <typename Value>
Value least(const Option& option, Value now, const std::function<bool(const Value&)>& breaks) {
  shrink_option(option, now, 10s, [&](const OptionValue& value) {
    const bool is_kept = breaks(std::get<Value>(value));
    if (is_kept) {
      now = std::get<Value>(value);
    }
    return is_kept;
  });
  return now;
}

std::int64_t least_count(const Option& option, std::int64_t now, std::int64_t from) {
  return least<std::int64_t>(option, now, [&](const auto& value) { return std::abs(value) >= from; });
}

TEST(ShrinkOption, ADurationGetsAsShortAsItCanOnItsSideOfZero) {
  const Option option{.name = "by", .kind = OptionKind::signed_duration};
  const auto breaks = [](const ScenarioDuration& value) {
    return value.resolve(10s) >= 7ms || value.resolve(10s) <= -7ms;
  };
  EXPECT_EQ(least<ScenarioDuration>(option, {0s, 1500}, breaks), (ScenarioDuration{7ms, 0}));
  EXPECT_EQ(least<ScenarioDuration>(option, {0s, -1500}, breaks), (ScenarioDuration{-7ms, 0}));
  EXPECT_EQ(least<ScenarioDuration>(option, {1us, 1500}, breaks), (ScenarioDuration{1us, 1500}));
}

TEST(ShrinkOption, ACountGetsAsSmallAsItCanWithinItsBounds) {
  const Option steps{.name = "steps", .kind = OptionKind::count, .least = 3, .most = 100, .usual_count = 10};
  EXPECT_EQ(least_count(steps, 20, 7), 7);
  EXPECT_EQ(least_count(steps, 20, 0), 3);
  EXPECT_EQ(least_count(steps, 20, 21), 20);
  const Option drift{
      .name = "drift", .kind = OptionKind::count, .least = -50, .most = 50, .why_not_zero = "none"};
  EXPECT_EQ(least_count(drift, -40, 5), -5);
  EXPECT_EQ(least_count(drift, -40, 0), -1);
  const Option times{.name = "times", .kind = OptionKind::count, .most = 50};
  EXPECT_EQ(least_count(times, 40, 0), 0);
}

TEST(ShrinkOption, AWordBecomesTheUsualOneIfThatDoes) {
  static constexpr std::array<std::string_view, 2> words{"all", "call"};
  const Option option{.name = "connections", .kind = OptionKind::word, .words = words, .usual_word = "all"};
  EXPECT_EQ(least<std::string>(option, "call", [](const auto&) { return true; }), "all");
  EXPECT_EQ(least<std::string>(option, "call", [](const auto&) { return false; }), "call");
}

}  // namespace shrink_option_test
}  // namespace holdfast
