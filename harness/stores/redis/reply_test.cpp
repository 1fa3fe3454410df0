// Replies as a person reads them.
#include "harness/stores/redis/reply.h"

#include <gtest/gtest.h>

namespace holdfast::redis {
namespace {

TEST(ReplyText, each_kind_reads_as_a_person_would_write_it) {
  EXPECT_EQ(to_text(Reply::nil()), "(nil)");
  EXPECT_EQ(to_text(Reply::ok()), "OK");
  EXPECT_EQ(to_text(Reply::integer(-2)), "-2");
  EXPECT_EQ(to_text(Reply::bulk("a b")), "\"a b\"");
  EXPECT_EQ(to_text(Reply::error("ERR syntax error")), "ERR syntax error");
  EXPECT_EQ(to_text(Reply::array({})), "[]");
  EXPECT_EQ(to_text(Reply::array({Reply::integer(1), Reply::array({Reply::bulk("a")}), Reply::nil()})),
            "[1, [\"a\"], (nil)]");
}

}  // namespace
}  // namespace holdfast::redis
