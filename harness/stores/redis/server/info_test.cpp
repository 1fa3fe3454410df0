#include "harness/stores/redis/server/info.h"

#include <gtest/gtest.h>

namespace holdfast::live {
namespace info_test {

constexpr std::string_view said =
    "# Server\r\nredis_version:7.0.15\r\nmaster_repl_offset:42\r\nempty:\r\nlast:-7";

TEST(Info, FindsAValueByItsWholeName) {
  EXPECT_EQ(info_field(said, "redis_version"), "7.0.15");
  EXPECT_EQ(info_field(said, "version"), "");
  EXPECT_EQ(info_field(said, "redis"), "");
  EXPECT_EQ(info_field(said, "empty"), "");
  EXPECT_EQ(info_field("", "empty"), "");
}

TEST(Info, ReadsNumbers) {
  EXPECT_EQ(info_number(said, "master_repl_offset"), 42);
  EXPECT_EQ(info_number(said, "last"), -7);
  EXPECT_EQ(info_number(said, "empty"), 0);
  EXPECT_EQ(info_number(said, "nothing"), 0);
}

}  // namespace info_test
}  // namespace holdfast::live
