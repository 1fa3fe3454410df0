// Primaries, replicas and promotions, on virtual time: what reaches a replica, when, and what is lost.
#include <gtest/gtest.h>

#include "harness/stores/redis/model/test_session.h"

namespace holdfast::redis {
namespace {

constexpr ModelOptions with_log{.append_only = AppendOnly::never, .keep_replication_log = true};

struct Pair {
  TestSession primary{with_log};
  TestSession replica{with_log};

  void replicate() { replicate_to(primary.redis.replication_offset()); }
  void replicate_to(std::int64_t offset) {
    replica.redis.replicate_from(primary.redis, offset, replica.clocks());
  }
  void advance_ms(std::int64_t milliseconds) {
    primary.advance_ms(milliseconds);
    replica.advance_ms(milliseconds);
  }
};

TEST(Replication, the_offset_grows_with_writes_and_only_with_writes) {
  Pair pair;
  EXPECT_EQ(pair.primary.redis.replication_offset(), 0);
  pair.primary.ask("GET a");
  pair.primary.ask("DEL a");
  pair.primary.ask("SET a x XX");
  EXPECT_EQ(pair.primary.redis.replication_offset(), 0);
  pair.primary.ask("SET a 1");
  // *3 $3 SET $1 a $1 1, each with its line ends
  EXPECT_EQ(pair.primary.redis.replication_offset(), 27);
}

TEST(Replication, a_replica_has_what_was_replicated_and_not_more) {
  Pair pair;
  pair.primary.ask("SET a 1");
  const std::int64_t after_first = pair.primary.redis.replication_offset();
  pair.primary.ask("SET b 2");
  pair.replicate_to(after_first);
  EXPECT_EQ(pair.replica.ask("MGET a b"), R"(["1", (nil)])");
  EXPECT_EQ(pair.replica.redis.replication_offset(), after_first);
  pair.replicate();
  EXPECT_EQ(pair.replica.ask("MGET a b"), R"(["1", "2"])");
  EXPECT_EQ(pair.replica.redis.replication_offset(), pair.primary.redis.replication_offset());
}

TEST(Replication, an_offset_inside_a_write_does_not_apply_half_of_it) {
  Pair pair;
  pair.primary.ask(make_command("EVAL", "redis.call('set','a',1) redis.call('set','b',2)", 0));
  pair.primary.ask("MULTI");
  pair.primary.ask("SET c 3");
  pair.primary.ask("SET d 4");
  pair.primary.ask("EXEC");
  const std::int64_t offset = pair.primary.redis.replication_offset();
  pair.replicate_to(30);
  EXPECT_EQ(pair.replica.ask("MGET a b"), "[(nil), (nil)]");
  pair.replicate_to(offset - 1);
  EXPECT_EQ(pair.replica.ask("MGET a b c d"), R"(["1", "2", (nil), (nil)])");
  pair.replicate_to(offset);
  EXPECT_EQ(pair.replica.ask("MGET c d"), R"(["3", "4"])");
}

TEST(Replication, a_relative_expiry_travels_as_an_absolute_time) {
  Pair pair;
  pair.primary.ask("SET a 1 PX 1000");
  pair.primary.ask("SET b 1");
  pair.primary.ask("EXPIRE b 1");
  pair.primary.ask("HSET c f 1");
  pair.primary.ask(make_command("EVAL", "redis.call('pexpire','c',1000)", 0));
  pair.primary.ask("SETEX d 1 v");
  pair.primary.ask("SET e 1");
  pair.primary.ask("GETEX e PX 1000");
  pair.advance_ms(400);
  pair.replicate();
  for (const char* key : {"a", "b", "c", "d", "e"}) {
    EXPECT_EQ(pair.replica.ask(make_command("PTTL", key)), "600") << key;
  }
}

TEST(Replication, a_replica_refuses_writes) {
  Pair pair;
  pair.replicate();
  const std::string refusal = "READONLY You can't write against a read only replica.";
  EXPECT_EQ(pair.replica.ask("SET a 1"), refusal);
  EXPECT_EQ(pair.replica.ask(make_command("EVAL", "return redis.pcall('set','a',1)", 0)), refusal);
  EXPECT_EQ(pair.replica.ask(make_command("EVAL", "return redis.call('set','a',1)", 0)),
            refusal + " script: 119b0beb461d5982ddacc6dda6829882d5e16b4d, on @user_script:1.");
  EXPECT_EQ(pair.replica.ask(make_command("EVAL", "return redis.call('get','a')", 0)), "(nil)");
}

TEST(Replication, an_exec_queued_before_the_demotion_is_refused) {
  Pair pair;
  pair.replica.ask("MULTI");
  pair.replica.ask("SET a 1");
  pair.replicate();
  EXPECT_EQ(
      pair.replica.ask("EXEC"),
      "EXECABORT Transaction discarded because of: READONLY You can't write against a read only replica.");
  EXPECT_EQ(pair.replica.ask("EXISTS a"), "0");
}

TEST(Replication, a_replica_answers_an_expired_key_as_absent_but_keeps_it_for_its_primary) {
  Pair pair;
  pair.primary.ask("SET a 1 PX 10");
  pair.replicate();
  pair.replica.advance_ms(11);  // its clock runs ahead of the primary's
  EXPECT_EQ(pair.replica.ask("GET a"), "(nil)");
  EXPECT_EQ(pair.replica.ask("EXISTS a"), "0");
  pair.primary.ask("PEXPIRE a 1000");
  pair.replicate();
  EXPECT_EQ(pair.replica.ask("GET a"), "\"1\"");
}

TEST(Replication, an_expiry_on_the_primary_travels_as_a_deletion) {
  Pair pair;
  pair.primary.ask("SET a 1 PX 10");
  pair.replicate();
  pair.primary.advance_ms(11);  // the replica's clock lags and would still show the key
  EXPECT_EQ(pair.primary.ask("GET a"), "(nil)");
  EXPECT_EQ(pair.replica.ask("GET a"), "\"1\"");
  pair.replicate();
  EXPECT_EQ(pair.replica.ask("GET a"), "(nil)");
}

TEST(Replication, a_promoted_replica_expires_and_writes_on_its_own) {
  Pair pair;
  pair.primary.ask("SET lock c1 NX PX 10");
  pair.replicate();
  pair.replica.redis.promote(pair.replica.clocks());
  EXPECT_FALSE(pair.replica.redis.is_replica());
  EXPECT_EQ(pair.replica.ask("SET lock c2 NX PX 10"), "(nil)");
  pair.replica.advance_ms(11);
  const std::int64_t before = pair.replica.redis.replication_offset();
  EXPECT_EQ(pair.replica.ask("GET lock"), "(nil)");
  EXPECT_GT(pair.replica.redis.replication_offset(), before);
  EXPECT_EQ(pair.replica.ask("SET lock c2 NX PX 10"), "OK");
}

TEST(Replication, a_failover_loses_what_was_not_replicated) {
  Pair pair;
  EXPECT_EQ(pair.primary.ask("SET lock c1 NX PX 30000"), "OK");
  pair.replicate_to(0);
  pair.replica.redis.promote(pair.replica.clocks());
  EXPECT_EQ(pair.replica.ask("SET lock c2 NX PX 30000"), "OK");
}

TEST(Replication, a_former_primary_that_follows_loses_its_own_writes) {
  Pair pair;
  pair.primary.ask("SET shared 1");
  pair.replicate();
  pair.primary.ask("SET lost 1");
  pair.replica.redis.promote(pair.replica.clocks());
  pair.replica.ask("SET won 1");
  pair.primary.redis.replicate_from(pair.replica.redis, pair.replica.redis.replication_offset(),
                                    pair.primary.clocks());
  EXPECT_EQ(pair.primary.ask("MGET shared lost won"), R"(["1", (nil), "1"])");
  EXPECT_EQ(pair.primary.redis.replication_offset(), pair.replica.redis.replication_offset());
  EXPECT_TRUE(pair.primary.redis.is_replica());
}

TEST(Replication, another_replica_continues_with_the_promoted_one) {
  Pair pair;
  TestSession second{with_log};
  pair.primary.ask("SET a 1");
  pair.replicate();
  second.redis.replicate_from(pair.primary.redis, pair.primary.redis.replication_offset(), second.clocks());
  pair.replica.redis.promote(pair.replica.clocks());
  pair.replica.ask("SET b 2");
  second.redis.replicate_from(pair.replica.redis, pair.replica.redis.replication_offset(), second.clocks());
  EXPECT_EQ(second.ask("MGET a b"), R"(["1", "2"])");
  EXPECT_EQ(second.redis.replication_offset(), pair.replica.redis.replication_offset());
}

TEST(Replication, who_continues_with_the_promoted_one_keeps_what_it_had) {
  Pair pair;
  TestSession second{with_log};
  pair.primary.ask("SET a 1");
  pair.replicate();
  second.redis.replicate_from(pair.primary.redis, pair.primary.redis.replication_offset(), second.clocks());
  pair.replica.redis.promote(pair.replica.clocks());
  second.redis.replicate_from(pair.replica.redis, 0, second.clocks());
  EXPECT_EQ(second.ask("GET a"), "\"1\"");
}

TEST(Replication, a_replica_of_a_replica_gets_the_same_stream) {
  Pair pair;
  TestSession second{with_log};
  pair.primary.ask("SET a 1 PX 500");
  pair.replicate();
  second.redis.replicate_from(pair.replica.redis, pair.replica.redis.replication_offset(), second.clocks());
  EXPECT_EQ(second.ask("PTTL a"), "500");
  EXPECT_EQ(second.redis.replication_offset(), pair.primary.redis.replication_offset());
}

TEST(Replication, a_primary_that_restarts_empty_empties_its_replica) {
  Pair pair;
  pair.primary.ask("SET a 1");
  pair.replicate();
  const std::int64_t acknowledged = pair.replica.redis.replication_offset();
  pair.primary.redis.crash(pair.primary.clocks());
  pair.primary.redis.restart(pair.primary.clocks());
  pair.primary.ask("SET b 1");
  EXPECT_GT(pair.primary.redis.replication_offset(), acknowledged);
  pair.replicate();
  EXPECT_EQ(pair.replica.ask("MGET a b"), R"([(nil), "1"])");
  EXPECT_EQ(pair.replica.redis.replication_offset(), pair.primary.redis.replication_offset());
}

// Its offset does not go back, though nothing that it wrote is left.
TEST(Replication, who_has_all_of_an_emptied_primary_stands_where_it_does) {
  Pair pair;
  pair.primary.ask("SET a 1");
  pair.primary.redis.crash(pair.primary.clocks());
  pair.primary.redis.restart(pair.primary.clocks());
  pair.replicate();
  EXPECT_EQ(pair.replica.redis.replication_offset(), pair.primary.redis.replication_offset());
}

TEST(Replication, a_replica_that_restarts_does_not_know_how_far_it_had_come) {
  for (const AppendOnly append_only : {AppendOnly::never, AppendOnly::always}) {
    TestSession primary{with_log};
    TestSession replica{{.append_only = append_only, .keep_replication_log = true}};
    TestSession other{with_log};
    primary.ask("SET a 1");
    replica.redis.replicate_from(primary.redis, primary.redis.replication_offset(), replica.clocks());
    replica.redis.crash(replica.clocks());
    replica.redis.restart(replica.clocks());
    EXPECT_EQ(replica.redis.replication_offset(), 0);
    const std::string kept = append_only == AppendOnly::always ? "\"1\"" : "(nil)";
    EXPECT_EQ(replica.ask("GET a"), kept);
    // Who follows it from now on gets what it has kept first, and then what it writes.
    replica.redis.promote(replica.clocks());
    other.redis.replicate_from(replica.redis, replica.redis.replication_offset(), other.clocks());
    EXPECT_EQ(other.ask("GET a"), kept);
    replica.ask("SET b 2");
    other.redis.replicate_from(replica.redis, replica.redis.replication_offset(), other.clocks());
    EXPECT_EQ(other.ask("GET b"), "\"2\"");
    EXPECT_EQ(other.redis.replication_offset(), replica.redis.replication_offset());
  }
}

TEST(Replication, needs_a_log_to_replicate_from) {
  TestSession primary;
  TestSession replica;
  primary.ask("SET a 1");
  EXPECT_EQ(primary.redis.replication_offset(), 0);
  EXPECT_THROW(replica.redis.replicate_from(primary.redis, 0, replica.clocks()), std::logic_error);
}

}  // namespace
}  // namespace holdfast::redis
