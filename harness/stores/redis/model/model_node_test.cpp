// The model as a whole: reset, connections, and a random walk after which a replica, a restarted
// server and a server fed the same commands again must all hold the same data.
#include "harness/stores/redis/model/model_node.h"
#include "harness/kernel/fingerprint.h"

#include <gtest/gtest.h>

#include <array>

#include "harness/stores/redis/model/test_session.h"

namespace holdfast::redis {
namespace {

// Everything a client can see of the data, one line a key.
std::string dump(TestSession& session) {
  constexpr ConnectionId observer = 99;
  std::string text;
  const Reply keys = *session.submit(make_command("KEYS", "*"), observer);
  for (const Reply& key : keys.elements) {
    const std::string type = session.ask(make_command("TYPE", key.text), observer);
    Command read = make_command("GET", key.text);
    if (type == "hash") read = make_command("HGETALL", key.text);
    if (type == "list") read = make_command("LRANGE", key.text, 0, -1);
    if (type == "set") read = make_command("SMEMBERS", key.text);
    if (type == "zset") read = make_command("ZRANGE", key.text, 0, -1, "WITHSCORES");
    text += key.text + " " + session.ask(make_command("PEXPIRETIME", key.text), observer) + " " +
            session.ask(read, observer) + "\n";
  }
  return text;
}

class RandomWalk {
 public:
  explicit RandomWalk(std::uint64_t seed) : state_(mix(seed)) {}

  std::uint64_t below(std::uint64_t bound) { return mix(state_ += 0x9e3779b97f4a7c15ULL) % bound; }

  std::string line() {
    constexpr std::array lines = {
        "SET K V",
        "SET K V NX PX 20",
        "SET K V KEEPTTL",
        "SETEX K 1 V",
        "GETSET K V",
        "GETDEL K",
        "GETEX K PX 30",
        "GETEX K PERSIST",
        "GETEX K PXAT 1",
        "APPEND K V",
        "INCR K",
        "DECRBY K 3",
        "MSET K V K V",
        "DEL K K",
        "EXPIRE K 1",
        "PEXPIRE K 15",
        "PEXPIRE K -1",
        "PEXPIRE K 40 GT",
        "PERSIST K",
        "GET K",
        "HSET K F V F V",
        "HINCRBY K F 2",
        "HDEL K F",
        "HSETNX K F V",
        "RPUSH K V V",
        "LPUSH K V",
        "LPOP K",
        "RPOP K 2",
        "LREM K 1 V",
        "SADD K V V",
        "SREM K V",
        "ZADD K 2 F 1 F",
        "ZADD K GT CH 3 F",
        "ZINCRBY K 1.5 F",
        "ZREM K F",
        "ZADD K INCR 2 F",
        "ZREMRANGEBYRANK K 0 0",
        "ZREMRANGEBYSCORE K 0 1",
        "EXISTS K",
        "FLUSHALL",
        "MULTI",
        "EXEC",
        "EXEC",
        "WATCH K",
        "DISCARD",
    };
    std::string filled;
    for (const char letter : std::string(lines[below(lines.size())])) {
      if (letter == 'K' && (filled.empty() || filled.back() == ' ')) {
        filled += static_cast<char>('a' + below(6));
      } else if (letter == 'V' && filled.back() == ' ') {
        filled += std::to_string(below(5));
      } else if (letter == 'F' && filled.back() == ' ') {
        filled += static_cast<char>('f' + below(3));
      } else {
        filled += letter;
      }
    }
    return filled;
  }

 private:
  std::uint64_t state_;
};

// The words of `line`, run by a script.
Command as_script(const std::string& line) {
  Command command = make_command("EVAL", "return redis.call(unpack(ARGV))", 0);
  std::istringstream in(line);
  for (std::string word; in >> word;) command.push_back(word);
  return command;
}

// Speaks one random line, directly or through a script; the reply.
std::string step(TestSession& session, RandomWalk& walk) {
  const std::string line = walk.line();
  session.advance_ms(static_cast<std::int64_t>(walk.below(8)));
  return walk.below(4) == 0 ? session.ask(as_script(line)) : session.ask(line);
}

TEST(ModelNode, a_replica_that_caught_up_equals_its_primary) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    RandomWalk walk(seed);
    TestSession primary({.append_only = AppendOnly::never, .keep_replication_log = true});
    TestSession replica;
    for (int count = 0; count < 150; ++count) {
      step(primary, walk);
      replica.now_us = primary.now_us;
      const auto part = static_cast<std::int64_t>(
          walk.below(static_cast<std::uint64_t>(primary.redis.replication_offset()) + 1));
      replica.redis.replicate_from(primary.redis, part, replica.clocks());
    }
    primary.ask("DISCARD");
    replica.redis.replicate_from(primary.redis, primary.redis.replication_offset(), replica.clocks());
    ASSERT_EQ(dump(replica), dump(primary)) << "seed " << seed;
    ASSERT_EQ(replica.redis.replication_offset(), primary.redis.replication_offset()) << "seed " << seed;
  }
}

TEST(ModelNode, a_restart_under_the_always_policy_loses_nothing) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    RandomWalk walk(seed);
    TestSession session({.append_only = AppendOnly::always});
    for (int count = 0; count < 150; ++count) step(session, walk);
    session.ask("DISCARD");
    const std::string before = dump(session);
    session.redis.crash(session.clocks());
    session.redis.restart(session.clocks());
    ASSERT_EQ(dump(session), before) << "seed " << seed;
  }
}

TEST(ModelNode, a_reset_server_answers_as_a_new_one) {
  TestSession used({.append_only = AppendOnly::always, .keep_replication_log = true});
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    RandomWalk walk(seed);
    RandomWalk same_walk(seed);
    TestSession fresh({.append_only = AppendOnly::always, .keep_replication_log = true});
    used.redis.reset();
    used.now_us = fresh.now_us;
    for (int count = 0; count < 150; ++count) {
      ASSERT_EQ(step(used, walk), step(fresh, same_walk)) << "seed " << seed << ", step " << count;
    }
    ASSERT_EQ(dump(used), dump(fresh)) << "seed " << seed;
    ASSERT_EQ(used.redis.replication_offset(), fresh.redis.replication_offset()) << "seed " << seed;
  }
}

TEST(ModelNode, a_reset_ends_connections_roles_and_transactions) {
  const TestSession primary({.append_only = AppendOnly::never, .keep_replication_log = true});
  TestSession session;
  session.ask("SUBSCRIBE ch", 1);
  session.ask("MULTI", 2);
  session.ask("WATCH a", 3);
  session.redis.replicate_from(primary.redis, 0, session.clocks());
  session.redis.reset();
  EXPECT_FALSE(session.redis.is_replica());
  EXPECT_EQ(session.ask("SET a 1", 1), "OK");
  EXPECT_EQ(session.ask("GET a", 2), "\"1\"");
  EXPECT_EQ(session.ask("PUBLISH ch x", 2), "0");
}

TEST(ModelNode, a_replica_is_synchronised_anew_after_its_primary_was_reset) {
  TestSession primary({.append_only = AppendOnly::never, .keep_replication_log = true});
  TestSession replica;
  primary.ask("SET a 1");
  replica.redis.replicate_from(primary.redis, primary.redis.replication_offset(), replica.clocks());
  primary.redis.reset();
  primary.ask("SET b 1");
  replica.redis.replicate_from(primary.redis, primary.redis.replication_offset(), replica.clocks());
  EXPECT_EQ(replica.ask("MGET a b"), R"([(nil), "1"])");
}

TEST(Subscriptions, messages_go_to_subscribers_in_the_order_of_their_subscribing) {
  TestSession session;
  session.ask("SUBSCRIBE ch", 5);
  session.ask("SUBSCRIBE ch", 3);
  session.ask("SUBSCRIBE other", 4);
  EXPECT_EQ(session.ask("PUBLISH ch hello", 1), "2");
  ASSERT_EQ(session.pushes.size(), 2U);
  EXPECT_EQ(session.pushes[0].connection, 5U);
  EXPECT_EQ(session.pushes[1].connection, 3U);
  session.close(5);
  EXPECT_EQ(session.ask("PUBLISH ch again", 1), "1");
}

TEST(Subscriptions, several_channels_are_confirmed_one_by_one) {
  TestSession session;
  EXPECT_EQ(session.ask("SUBSCRIBE a b"), R"([["subscribe", "a", 1], ["subscribe", "b", 2]])");
  EXPECT_EQ(session.ask("UNSUBSCRIBE"), R"([["unsubscribe", "a", 1], ["unsubscribe", "b", 0]])");
}

TEST(Disconnect, ends_the_transaction_and_the_watch_of_that_connection_only) {
  TestSession session;
  session.ask("MULTI", 1);
  session.ask("MULTI", 2);
  session.close(1);
  EXPECT_EQ(session.ask("SET a 1", 1), "OK");
  EXPECT_EQ(session.ask("SET a 2", 2), "QUEUED");
}

}  // namespace
}  // namespace holdfast::redis
