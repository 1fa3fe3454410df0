// What a crash leaves under each appendfsync policy.
#include "harness/stores/redis/model/append_only_file.h"

#include <gtest/gtest.h>

#include "harness/stores/redis/model/test_session.h"

namespace holdfast::redis {
namespace {

struct Crashing {
  explicit Crashing(AppendOnly policy) : session({.append_only = policy}) {}

  void crash() {
    session.redis.crash(session.clocks());
    session.redis.restart(session.clocks());
  }

  TestSession session;
};

TEST(AppendOnlyNever, a_crash_leaves_nothing) {
  Crashing server(AppendOnly::never);
  server.session.ask("SET a 1");
  server.session.advance_ms(10'000);
  server.session.ask("SET b 1");
  server.crash();
  EXPECT_EQ(server.session.ask("DBSIZE"), "0");
}

TEST(AppendOnlyAlways, a_crash_leaves_every_acknowledged_write) {
  Crashing server(AppendOnly::always);
  server.session.ask("SET a 1 PX 1000");
  server.session.ask("HSET h f 1 g 2");
  server.session.ask("HINCRBY h f 4");
  server.session.ask("RPUSH l x y");
  server.session.ask("LPOP l");
  server.session.ask("ZADD z 1 m");
  server.session.ask("SADD s m");
  server.session.ask("SET gone 1");
  server.session.ask("DEL gone");
  server.session.advance_ms(400);
  server.crash();
  EXPECT_EQ(server.session.ask("PTTL a"), "600");
  EXPECT_EQ(server.session.ask("HGETALL h"), R"(["f", "5", "g", "2"])");
  EXPECT_EQ(server.session.ask("LRANGE l 0 -1"), R"(["y"])");
  EXPECT_EQ(server.session.ask("ZSCORE z m"), "\"1\"");
  EXPECT_EQ(server.session.ask("SISMEMBER s m"), "1");
  EXPECT_EQ(server.session.ask("EXISTS gone"), "0");
}

TEST(AppendOnlyAlways, a_key_that_expired_while_the_server_was_down_is_gone) {
  Crashing server(AppendOnly::always);
  server.session.ask("SET lock c1 NX PX 1000");
  server.session.advance_ms(1001);
  server.crash();
  EXPECT_EQ(server.session.ask("SET lock c2 NX PX 1000"), "OK");
}

TEST(AppendOnlyAlways, survives_two_crashes_and_writes_in_between) {
  Crashing server(AppendOnly::always);
  server.session.ask("SET a 1");
  server.crash();
  server.session.ask("INCR a");
  server.crash();
  EXPECT_EQ(server.session.ask("GET a"), "\"2\"");
}

TEST(AppendOnlyEverySecond, a_crash_loses_the_writes_of_its_own_second) {
  Crashing server(AppendOnly::every_second);
  server.session.advance_ms(300);
  server.session.ask("SET early 1");
  server.session.advance_ms(600);
  server.session.ask("SET late 1");
  server.session.advance_ms(99);  // .999 of the same second
  server.crash();
  EXPECT_EQ(server.session.ask("MGET early late"), "[(nil), (nil)]");
}

TEST(AppendOnlyEverySecond, a_whole_second_that_passes_syncs_all_before_it_and_nothing_after) {
  Crashing server(AppendOnly::every_second);
  server.session.advance_ms(999);
  server.session.ask("SET before 1");
  server.session.advance_ms(1);
  server.session.ask("SET after 1");
  server.crash();
  EXPECT_EQ(server.session.ask("MGET before after"), R"(["1", (nil)])");
}

TEST(AppendOnlyEverySecond, syncs_on_time_alone_without_another_command) {
  Crashing server(AppendOnly::every_second);
  server.session.ask("SET a 1");
  server.session.advance_ms(1000);
  server.crash();
  EXPECT_EQ(server.session.ask("GET a"), "\"1\"");
}

TEST(AppendOnlyEverySecond, a_clock_set_back_stops_the_syncing_until_it_has_caught_up) {
  Crashing server(AppendOnly::every_second);
  server.session.ask("PING");
  server.session.advance_ms(-60'000);
  server.session.ask("SET a 1");
  server.session.advance_ms(59'000);
  server.crash();
  EXPECT_EQ(server.session.ask("GET a"), "(nil)");
}

TEST(Crash, ends_connections_transactions_and_the_knowledge_of_scripts) {
  Crashing server(AppendOnly::always);
  server.session.ask("SUBSCRIBE ch", 1);
  server.session.ask("MULTI", 2);
  const std::string sha = server.session.ask(make_command("SCRIPT", "LOAD", "return 1"), 3);
  server.crash();
  EXPECT_EQ(server.session.ask("PUBLISH ch x", 3), "0");
  EXPECT_EQ(server.session.ask("GET a", 1), "(nil)");
  EXPECT_EQ(server.session.ask("GET a", 2), "(nil)");
  EXPECT_EQ(server.session.ask(make_command("EVALSHA", sha.substr(1, 40), 0), 3),
            "NOSCRIPT No matching script. Please use EVAL.");
}

}  // namespace
}  // namespace holdfast::redis
