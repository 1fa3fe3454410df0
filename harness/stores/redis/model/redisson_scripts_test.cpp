// The command mix of Redisson's locks: the model runs scripts of their shape from end to end.
#include <gtest/gtest.h>

#include "harness/stores/redis/model/test_session.h"

namespace holdfast::redis {
namespace {

constexpr const char* lock =
    "if (redis.call('exists', KEYS[1]) == 0) or (redis.call('hexists', KEYS[1], ARGV[2]) == 1) then "
    "redis.call('hincrby', KEYS[1], ARGV[2], 1); redis.call('pexpire', KEYS[1], ARGV[1]); return nil; end; "
    "return redis.call('pttl', KEYS[1]);";
constexpr const char* unlock =
    "if (redis.call('hexists', KEYS[1], ARGV[3]) == 0) then return nil; end; "
    "local counter = redis.call('hincrby', KEYS[1], ARGV[3], -1); "
    "if (counter > 0) then redis.call('pexpire', KEYS[1], ARGV[2]); return 0; "
    "else redis.call('del', KEYS[1]); redis.call('publish', KEYS[2], ARGV[1]); return 1; end;";
constexpr const char* renew =
    "if (redis.call('hexists', KEYS[1], ARGV[2]) == 1) then redis.call('pexpire', KEYS[1], ARGV[1]); "
    "return 1; end; return 0;";

class Redisson : public testing::Test {
 protected:
  std::string take(std::string_view owner) {
    return session.ask(make_command("EVAL", lock, 1, "l", 30000, owner));
  }
  std::string release(std::string_view owner) {
    return session.ask(make_command("EVAL", unlock, 2, "l", "channel", 0, 30000, owner));
  }
  std::string extend(std::string_view owner) {
    return session.ask(make_command("EVAL", renew, 1, "l", 30000, owner));
  }

  TestSession session;
};

TEST_F(Redisson, the_lock_counts_reentry_and_tells_others_how_long) {
  EXPECT_EQ(take("a:1"), "(nil)");
  session.advance_ms(100);
  EXPECT_EQ(take("b:1"), "29900");
  EXPECT_EQ(take("a:1"), "(nil)");
  EXPECT_EQ(take("b:1"), "30000");
  EXPECT_EQ(session.ask("HGETALL l"), R"(["a:1", "2"])");
}

TEST_F(Redisson, unlock_is_for_the_owner_and_wakes_waiters_at_the_end) {
  session.ask("SUBSCRIBE channel", 9);
  take("a:1");
  take("a:1");
  EXPECT_EQ(release("b:1"), "(nil)");
  EXPECT_EQ(release("a:1"), "0");
  EXPECT_TRUE(session.pushes.empty());
  EXPECT_EQ(release("a:1"), "1");
  ASSERT_EQ(session.pushes.size(), 1U);
  EXPECT_EQ(session.pushes[0].payload, "0");
  EXPECT_EQ(session.ask("EXISTS l"), "0");
}

TEST_F(Redisson, renewal_keeps_the_lock_of_its_owner_alive) {
  take("a:1");
  session.advance_ms(20'000);
  EXPECT_EQ(extend("a:1"), "1");
  EXPECT_EQ(extend("b:1"), "0");
  session.advance_ms(30'000);
  EXPECT_EQ(take("b:1"), "0");
  session.advance_ms(1);
  EXPECT_EQ(take("b:1"), "(nil)");
}

// The fair lock: a list of waiters and a sorted set of their deadlines.
constexpr const char* fair_lock =
    "while true do local first = redis.call('lindex', KEYS[2], 0); if first == false then break; end; "
    "local timeout = redis.call('zscore', KEYS[3], first); "
    "if timeout ~= false and tonumber(timeout) <= tonumber(ARGV[4]) then "
    "redis.call('zrem', KEYS[3], first); redis.call('lpop', KEYS[2]); else break; end; end; "
    "if (redis.call('exists', KEYS[1]) == 0) and ((redis.call('exists', KEYS[2]) == 0) "
    "or (redis.call('lindex', KEYS[2], 0) == ARGV[2])) then "
    "redis.call('lpop', KEYS[2]); redis.call('zrem', KEYS[3], ARGV[2]); "
    "local keys = redis.call('zrange', KEYS[3], 0, -1); "
    "for i = 1, #keys, 1 do redis.call('zincrby', KEYS[3], -tonumber(ARGV[3]), keys[i]); end; "
    "redis.call('hset', KEYS[1], ARGV[2], 1); redis.call('pexpire', KEYS[1], ARGV[1]); return nil; end; "
    "if redis.call('hexists', KEYS[1], ARGV[2]) == 1 then "
    "redis.call('hincrby', KEYS[1], ARGV[2], 1); redis.call('pexpire', KEYS[1], ARGV[1]); return nil; end; "
    "local timeout = redis.call('zscore', KEYS[3], ARGV[2]); if timeout ~= false then "
    "return timeout - tonumber(ARGV[3]) - tonumber(ARGV[4]); end; "
    "local last = redis.call('lindex', KEYS[2], -1); local ttl; "
    "if last ~= false and last ~= ARGV[2] then ttl = tonumber(redis.call('zscore', KEYS[3], last)) "
    "- tonumber(ARGV[4]); else ttl = redis.call('pttl', KEYS[1]); end; "
    "local deadline = ttl + tonumber(ARGV[3]) + tonumber(ARGV[4]); "
    "if redis.call('zadd', KEYS[3], deadline, ARGV[2]) == 1 then redis.call('rpush', KEYS[2], ARGV[2]); end; "
    "return ttl;";

TEST_F(Redisson, the_fair_lock_queues_its_waiters_with_their_deadlines) {
  const auto take_fairly = [&](std::string_view owner) {
    return session.ask(make_command("EVAL", fair_lock, 3, "l", "queue", "timeouts", 30000, owner, 5000,
                                    session.now_us / 1000));
  };
  EXPECT_EQ(take_fairly("a"), "(nil)");
  EXPECT_EQ(take_fairly("b"), "30000");
  EXPECT_EQ(take_fairly("c"), "35000");
  EXPECT_EQ(session.ask("LRANGE queue 0 -1"), R"(["b", "c"])");
  EXPECT_EQ(session.ask("ZRANGE timeouts 0 -1 WITHSCORES"),
            R"(["b", "1700000035000", "c", "1700000040000"])");
  session.ask("DEL l");
  EXPECT_EQ(take_fairly("c"), "35000");
  EXPECT_EQ(take_fairly("b"), "(nil)");
  EXPECT_EQ(session.ask("LRANGE queue 0 -1"), R"(["c"])");
  EXPECT_EQ(session.ask("ZRANGE timeouts 0 -1 WITHSCORES"), R"(["c", "1700000035000"])");
  session.advance_ms(35'000);
  EXPECT_EQ(take_fairly("d"), "(nil)");  // b's lease and c's place have run out
}

TEST_F(Redisson, the_read_write_lock_keeps_a_mode_and_a_key_for_each_reader) {
  const char* read_lock =
      "local mode = redis.call('hget', KEYS[1], 'mode'); if (mode == false) then "
      "redis.call('hset', KEYS[1], 'mode', 'read'); redis.call('hset', KEYS[1], ARGV[2], 1); "
      "redis.call('set', KEYS[2] .. ':1', 1); redis.call('pexpire', KEYS[2] .. ':1', ARGV[1]); "
      "redis.call('pexpire', KEYS[1], ARGV[1]); return nil; end; "
      "if (mode == 'read') or (mode == 'write' and redis.call('hexists', KEYS[1], ARGV[3]) == 1) then "
      "local ind = redis.call('hincrby', KEYS[1], ARGV[2], 1); local key = KEYS[2] .. ':' .. ind; "
      "redis.call('set', key, 1); redis.call('pexpire', key, ARGV[1]); "
      "local remainTime = redis.call('pttl', KEYS[1]); "
      "redis.call('pexpire', KEYS[1], math.max(remainTime, ARGV[1])); return nil; end; "
      "return redis.call('pttl', KEYS[1]);";
  const auto take_read = [&](std::string_view owner) {
    return session.ask(make_command("EVAL", read_lock, 2, "l", "{l}:" + std::string(owner), 1000, owner,
                                    std::string(owner) + ":write"));
  };
  EXPECT_EQ(take_read("a"), "(nil)");
  session.advance_ms(400);
  EXPECT_EQ(take_read("b"), "(nil)");
  EXPECT_EQ(take_read("a"), "(nil)");
  EXPECT_EQ(session.ask("HGETALL l"), R"(["mode", "read", "a", "2", "b", "1"])");
  EXPECT_EQ(session.ask("KEYS {l}:*"), R"(["{l}:a:1", "{l}:a:2", "{l}:b:1"])");
  EXPECT_EQ(session.ask("PTTL l"), "1000");
  EXPECT_EQ(session.ask("PTTL {l}:a:1"), "600");
}

TEST_F(Redisson, the_semaphore_the_latch_and_the_fence_count) {
  const char* acquire =
      "local value = redis.call('get', KEYS[1]); if (value ~= false and tonumber(value) >= "
      "tonumber(ARGV[1])) "
      "then redis.call('decrby', KEYS[1], ARGV[1]); return 1; end; return 0;";
  session.ask("SET permits 2");
  EXPECT_EQ(session.ask(make_command("EVAL", acquire, 1, "permits", 2)), "1");
  EXPECT_EQ(session.ask(make_command("EVAL", acquire, 1, "permits", 1)), "0");

  const char* count_down =
      "local v = redis.call('decr', KEYS[1]); if v <= 0 then redis.call('del', KEYS[1]) end; "
      "if v == 0 then redis.call('publish', KEYS[2], ARGV[1]) end;";
  session.ask("SET latch 1");
  session.ask("SUBSCRIBE done", 9);
  EXPECT_EQ(session.ask(make_command("EVAL", count_down, 2, "latch", "done", 0)), "(nil)");
  EXPECT_EQ(session.pushes.size(), 1U);
  EXPECT_EQ(session.ask("EXISTS latch"), "0");

  const char* fenced =
      "if (redis.call('exists', KEYS[1]) == 0) then redis.call('incr', KEYS[2]); "
      "redis.call('hset', KEYS[1], ARGV[2], '1'); redis.call('pexpire', KEYS[1], ARGV[1]); "
      "return {-1, redis.call('get', KEYS[2])}; end; "
      "return {redis.call('pttl', KEYS[1]), -1};";
  EXPECT_EQ(session.ask(make_command("EVAL", fenced, 2, "f", "token", 100, "a")), R"([-1, "1"])");
  EXPECT_EQ(session.ask(make_command("EVAL", fenced, 2, "f", "token", 100, "b")), "[100, -1]");
  session.advance_ms(101);
  EXPECT_EQ(session.ask(make_command("EVAL", fenced, 2, "f", "token", 100, "b")), R"([-1, "2"])");
}

}  // namespace
}  // namespace holdfast::redis
