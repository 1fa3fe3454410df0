// Numbers as Redis reads and writes them.
#include "harness/stores/redis/model/numbers.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace holdfast::redis {
namespace {

TEST(Numbers, an_integer_has_one_spelling) {
  EXPECT_EQ(parse_integer("0"), 0);
  EXPECT_EQ(parse_integer("-17"), -17);
  EXPECT_EQ(parse_integer("9223372036854775807"), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(parse_integer("-9223372036854775808"), std::numeric_limits<std::int64_t>::min());
  for (const char* text :
       {"", "-", "+1", " 1", "1 ", "01", "-0", "00", "1.0", "0x10", "9223372036854775808"}) {
    EXPECT_EQ(parse_integer(text), std::nullopt) << text;
  }
}

TEST(Numbers, a_double_is_what_strtod_takes_as_a_whole) {
  EXPECT_EQ(parse_double("1.5"), 1.5);
  EXPECT_EQ(parse_double("1e3"), 1000);
  EXPECT_EQ(parse_double("+inf"), std::numeric_limits<double>::infinity());
  for (const char* text : {"", " 1", "1x", "nan", "1e999"}) {
    EXPECT_EQ(parse_double(text), std::nullopt) << text;
  }
}

TEST(Numbers, a_double_prints_with_17_digits) {
  EXPECT_EQ(format_double(3), "3");
  EXPECT_EQ(format_double(0.1), "0.10000000000000001");
  EXPECT_EQ(format_double(-std::numeric_limits<double>::infinity()), "-inf");
}

TEST(Numbers, truncation_goes_toward_zero_and_what_does_not_fit_is_the_smallest) {
  EXPECT_EQ(truncate_to_integer(2.9), 2);
  EXPECT_EQ(truncate_to_integer(-2.9), -2);
  EXPECT_EQ(truncate_to_integer(1e19), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(truncate_to_integer(std::nan("")), std::numeric_limits<std::int64_t>::min());
}

}  // namespace
}  // namespace holdfast::redis
