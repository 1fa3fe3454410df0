// Expiry times, to the millisecond: conversations with a real server on the same clock.
#include <gmock/gmock.h>

#include "harness/stores/redis/model/test_session.h"

namespace holdfast::redis {
namespace {

TEST(ExpiryCommands, a_key_lives_through_its_last_millisecond_and_not_longer) {
  expect_conversation({
      {"SET lock c1 NX PX 30000", "OK"},
      {"+29999", ""},
      {"GET lock", "\"c1\""},
      {"PTTL lock", "1"},
      {"+1", ""},
      {"GET lock", "\"c1\""},
      {"PTTL lock", "0"},
      {"TTL lock", "0"},
      {"SET lock c2 NX PX 30000", "(nil)"},
      {"+1", ""},
      {"GET lock", "(nil)"},
      {"PTTL lock", "-2"},
      {"TTL lock", "-2"},
      {"SET lock c2 NX PX 30000", "OK"},
  });
}

// What a lock asks for, in whatever way: whoever runs it at another pace wants to know (harness/live).
TEST(ExpiryCommands, how_long_keys_were_given_is_known) {
  TestSession session;
  for (const char* line :
       {"SET a 1 PX 1", "SET a 1 EX 2", "SET a 1 PXAT 1700000000003", "SET a 1 EXAT 1700000004",
        "PSETEX a 5 1", "SETEX a 6 1", "SET a 1", "PEXPIRE a 7", "EXPIRE a 8", "PEXPIREAT a 1700000000009",
        "EXPIREAT a 1700000010", "GETEX a PX 11", "SET a 1 KEEPTTL", "SET a 1 PX 1"}) {
    session.ask(line);
  }
  session.ask(make_command("EVAL", "return redis.call('pexpire', KEYS[1], ARGV[1])", 1, "a", 12));
  EXPECT_THAT(session.redis.leases_ms(),
              testing::ElementsAre(1, 3, 5, 7, 9, 11, 12, 2000, 4000, 6000, 8000, 10000));
  session.redis.reset();
  EXPECT_THAT(session.redis.leases_ms(), testing::IsEmpty());
}

// Those were asked of its primary, and maybe long ago.
TEST(ExpiryCommands, how_long_keys_live_on_a_replica_was_not_asked_of_it) {
  TestSession primary({.keep_replication_log = true});
  TestSession replica({.keep_replication_log = true});
  primary.ask("SET a 1 PX 1000");
  replica.redis.replicate_from(primary.redis, primary.redis.replication_offset(), replica.clocks());
  EXPECT_EQ(replica.ask("PTTL a"), "1000");
  EXPECT_THAT(replica.redis.leases_ms(), testing::IsEmpty());
}

TEST(ExpiryCommands, EXPIRE_in_its_four_forms_sets_an_absolute_time) {
  expect_conversation({
      {"SET a 1", "OK"},
      {"EXPIRE a 10", "1"},
      {"PTTL a", "10000"},
      {"PEXPIRE a 2500", "1"},
      {"TTL a", "3"},
      {"PTTL a", "2500"},
      {"EXPIREAT a 1700000100", "1"},
      {"TTL a", "100"},
      {"PEXPIREAT a 1700000000750", "1"},
      {"PTTL a", "750"},
      {"PEXPIRETIME a", "1700000000750"},
      {"EXPIRETIME a", "1700000001"},
      {"EXPIRE nosuch 10", "0"},
      {"PERSIST a", "1"},
      {"PERSIST a", "0"},
      {"PERSIST nosuch", "0"},
      {"TTL a", "-1"},
      {"PTTL a", "-1"},
      {"EXPIRETIME a", "-1"},
      {"PEXPIRETIME a", "-1"},
      {"TTL nosuch", "-2"},
      {"PTTL nosuch", "-2"},
      {"EXPIRETIME nosuch", "-2"},
      {"PEXPIRETIME nosuch", "-2"},
  });
}

TEST(ExpiryCommands, TTL_rounds_to_the_nearest_second) {
  expect_conversation({
      {"SET a 1 PX 1499", "OK"},
      {"TTL a", "1"},
      {"SET a 1 PX 1500", "OK"},
      {"TTL a", "2"},
      {"SET a 1 PX 499", "OK"},
      {"TTL a", "0"},
      {"PTTL a", "499"},
  });
}

TEST(ExpiryCommands, an_expiry_in_the_past_deletes_at_once) {
  expect_conversation({
      {"SET a 1", "OK"},
      {"EXPIRE a 0", "1"},
      {"EXISTS a", "0"},
      {"SET a 1", "OK"},
      {"PEXPIRE a -5", "1"},
      {"EXISTS a", "0"},
      {"SET a 1", "OK"},
      {"PEXPIREAT a 1700000000000", "1"},
      {"EXISTS a", "0"},
      {"SET a 1", "OK"},
      {"PEXPIREAT a 1700000000001", "1"},
      {"EXISTS a", "1"},
  });
}

TEST(ExpiryCommands, NX_XX_GT_and_LT_guard_the_expiry) {
  expect_conversation({
      {"SET a 1", "OK"},
      {"EXPIRE a 10 XX", "0"},
      {"EXPIRE a 10 GT", "0"},
      {"EXPIRE a 10 NX", "1"},
      {"EXPIRE a 20 NX", "0"},
      {"EXPIRE a 20 XX", "1"},
      {"TTL a", "20"},
      {"EXPIRE a 10 GT", "0"},
      {"EXPIRE a 30 GT", "1"},
      {"EXPIRE a 40 LT", "0"},
      {"EXPIRE a 5 LT", "1"},
      {"TTL a", "5"},
      {"EXPIRE a 50 XX GT", "1"},
      {"PERSIST a", "1"},
      {"EXPIRE a 10 LT", "1"},
      {"EXPIRE a 10 nx", "0"},
  });
}

TEST(ExpiryCommands, its_errors_are_worded_like_the_server) {
  expect_conversation({
      {"EXPIRE a", "ERR wrong number of arguments for 'expire' command"},
      {"EXPIRE a x", "ERR value is not an integer or out of range"},
      {"EXPIRE a 1.5", "ERR value is not an integer or out of range"},
      {"EXPIRE a 10 FOO", "ERR Unsupported option FOO"},
      {"EXPIRE a x FOO", "ERR Unsupported option FOO"},
      {"EXPIRE a 10 NX XX", "ERR NX and XX, GT or LT options at the same time are not compatible"},
      {"EXPIRE a 10 NX GT", "ERR NX and XX, GT or LT options at the same time are not compatible"},
      {"EXPIRE a 10 GT LT", "ERR GT and LT options at the same time are not compatible"},
      {"EXPIRE a 9223372036854775807", "ERR invalid expire time in 'expire' command"},
      {"EXPIRE a -9223372036854775807", "ERR invalid expire time in 'expire' command"},
      {"PEXPIRE a 9223372036854775807", "ERR invalid expire time in 'pexpire' command"},
      {"EXPIREAT a 9223372036854775", "0"},
      {"EXPIREAT a 9223372036854776", "ERR invalid expire time in 'expireat' command"},
      {"PEXPIREAT a 9223372036854775807", "0"},
      {"PERSIST", "ERR wrong number of arguments for 'persist' command"},
      {"TTL", "ERR wrong number of arguments for 'ttl' command"},
      {"PTTL a b", "ERR wrong number of arguments for 'pttl' command"},
  });
}

TEST(ExpiryCommands, an_expired_key_of_any_type_is_gone_for_every_command) {
  expect_conversation({
      {"HSET h f 1", "1"},
      {"PEXPIRE h 10", "1"},
      {"RPUSH l x", "1"},
      {"PEXPIRE l 10", "1"},
      {"ZADD z 1 m", "1"},
      {"PEXPIRE z 10", "1"},
      {"+11", ""},
      {"HGET h f", "(nil)"},
      {"HINCRBY h f 1", "1"},
      {"LLEN l", "0"},
      {"ZSCORE z m", "(nil)"},
      {"TTL h", "-1"},
      {"EXISTS h l z", "1"},
  });
}

}  // namespace
}  // namespace holdfast::redis
