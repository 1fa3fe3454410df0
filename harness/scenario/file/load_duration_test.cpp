// Every form of a duration, and every way to get one wrong, as tables.
#include "harness/scenario/file/load_duration.h"

#include <gtest/gtest.h>

#include <string>

namespace holdfast {
namespace {

struct Good {
  std::string text;
  Duration fixed;
  std::int64_t ttl_per_mille;
  std::string written;
};

TEST(LoadDuration, ReadsAndWritesEveryForm) {
  const Good table[] = {
      {"15s", 15s, 0, "15s"},
      {"0s", 0s, 0, "0s"},
      {"0 ttl", 0s, 0, "0s"},
      {"250ms", 250ms, 0, "250ms"},
      {"250 ms", 250ms, 0, "250ms"},
      {"7ns", 7ns, 0, "7ns"},
      {"25us", 25us, 0, "25us"},
      {"2min", 2min, 0, "2min"},
      {"3h", 3h, 0, "3h"},
      {"1.5s", 1500ms, 0, "1500ms"},
      {"0.001us", 1ns, 0, "1ns"},
      {"ttl", 0s, 1000, "ttl"},
      {"1 ttl", 0s, 1000, "ttl"},
      {"1.5 ttl", 0s, 1500, "1.5 ttl"},
      {"1.5ttl", 0s, 1500, "1.5 ttl"},
      {"0.25 ttl", 0s, 250, "0.25 ttl"},
      {"10 ttl", 0s, 10000, "10 ttl"},
      {"ttl + 100ms", 100ms, 1000, "ttl + 100ms"},
      {"ttl - 1ms", -1ms, 1000, "ttl - 1ms"},
      {"ttl-1ms", -1ms, 1000, "ttl - 1ms"},
      {"100ms + ttl", 100ms, 1000, "ttl + 100ms"},
      {"1s + 1ms", 1001ms, 0, "1001ms"},
      {"-5s", -5s, 0, "-5s"},
      {"- 5s", -5s, 0, "-5s"},
      {"-2 ttl", 0s, -2000, "-2 ttl"},
      {"-ttl + 5s", 5s, -1000, "-ttl + 5s"},
      {" 5s ", 5s, 0, "5s"},
      {"366h", 366h, 0, "366h"},
  };
  for (const Good& row : table) {
    const auto read = duration_from(row.text);
    ASSERT_TRUE(std::holds_alternative<ScenarioDuration>(read)) << row.text << ": " << std::get<1>(read);
    const auto& duration = std::get<ScenarioDuration>(read);
    EXPECT_EQ(duration.fixed, row.fixed) << row.text;
    EXPECT_EQ(duration.ttl_per_mille, row.ttl_per_mille) << row.text;
    EXPECT_EQ(to_text(duration), row.written);
    EXPECT_EQ(std::get<ScenarioDuration>(duration_from(row.written)).fixed, row.fixed) << row.written;
  }
}

TEST(LoadDuration, SaysWhatIsWrong) {
  const std::pair<std::string, std::string> table[] = {
      {"", "a number is missing"},
      {"-", "a number is missing"},
      {"s", "a number is missing"},
      {"5", "the unit is missing"},
      {"5 sec", "there is no unit \"sec\""},
      {"5S", "there is no unit \"S\""},
      {"5m", "there is no unit \"m\""},
      {"1.5ns", "whole nanoseconds"},
      {"0.0001 ttl", "three decimals"},
      {"5s 5s", "only + or -"},
      {"5s +", "a number is missing"},
      {"5s + + 5s", "a number is missing"},
      {"--5s", "a number is missing"},
      {".5s", "a number is missing"},
      {"1..5s", "the unit is missing"},
      {"1e3s", "there is no unit \"e\""},
      {"9223372036854775808ns", "too many digits"},
      {"0.0000000000000000s", "too many digits"},
      {"99999999h", "more than 366 days"},
      {"366 h + 8784 h", "more than 366 days"},
      {"1001 ttl", "more than 1000 leases"},
  };
  for (const auto& [text, expected] : table) {
    const auto read = duration_from(text);
    ASSERT_TRUE(std::holds_alternative<std::string>(read)) << text;
    EXPECT_NE(std::get<std::string>(read).find(expected), std::string::npos)
        << text << ": " << std::get<std::string>(read);
  }
}

}  // namespace
}  // namespace holdfast
