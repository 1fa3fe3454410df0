// Errors by their kind: what stays of the words of different releases, and what is no error and stays as it
// is.
#include "harness/stores/redis/error_kind.h"

#include <gtest/gtest.h>

namespace holdfast::redis {
namespace error_kind_test {

TEST(ErrorKind, IsTheCode) {
  EXPECT_EQ(with_errors_by_kind("ERR syntax error"), "ERR");
  EXPECT_EQ(with_errors_by_kind("WRONGTYPE Operation against a key holding the wrong kind of value"),
            "WRONGTYPE");
  EXPECT_EQ(with_errors_by_kind("SET k v → ERR syntax error"), "SET k v → ERR");
}

TEST(ErrorKind, OfAScriptIsOnlyThat) {
  const char* const redis_7 =
      "ERR Lua redis lib command arguments must be strings or integers script: 148c, on @user_script:1.";
  const char* const valkey_8 =
      "ERR Command arguments must be strings or integers script: 148c, on @user_script:1.";
  EXPECT_EQ(with_errors_by_kind(redis_7), "ERR in a script");
  EXPECT_EQ(with_errors_by_kind(redis_7), with_errors_by_kind(valkey_8));
  EXPECT_NE(with_errors_by_kind(redis_7),
            with_errors_by_kind("WRONGTYPE Operation script: 148c, on @user_script:1."));
  EXPECT_NE(with_errors_by_kind(redis_7), with_errors_by_kind("ERR syntax error"));
}

TEST(ErrorKind, WhatIsNoErrorStays) {
  for (const char* text :
       {"", "OK", "SET k v NX → OK", "GET k → (nil)", "GET k → \"ERR no error\"", "gc-pause on c1",
        "EVAL return 1 → 1", "EXEC → [1, \"A B\"]", "the lock is gone", "A b", "ERR"}) {
    EXPECT_EQ(with_errors_by_kind(text), text);
  }
}

}  // namespace error_kind_test
}  // namespace holdfast::redis
