// EVAL, EVALSHA and SCRIPT: caching, bounds, time and effects of scripts.
#include "harness/stores/redis/model/script_engine.h"

#include <gtest/gtest.h>

#include "harness/stores/redis/model/test_session.h"

namespace holdfast::redis {
namespace {

constexpr const char* no_script = "NOSCRIPT No matching script. Please use EVAL.";
constexpr const char* return_key = "return KEYS[1]";
constexpr const char* return_key_sha = "4a2267357833227dd98abdedb8cf24b15a986445";

TEST(ScriptCommands, EVALSHA_knows_what_was_loaded_or_evaluated) {
  TestSession session;
  EXPECT_EQ(session.ask(make_command("EVALSHA", return_key_sha, 1, "k")), no_script);
  EXPECT_EQ(session.ask(make_command("SCRIPT", "LOAD", return_key)),
            "\"" + std::string(return_key_sha) + "\"");
  EXPECT_EQ(session.ask(make_command("EVALSHA", return_key_sha, 1, "k")), "\"k\"");
  EXPECT_EQ(session.ask(make_command("EVALSHA", "4A2267357833227DD98ABDEDB8CF24B15A986445", 1, "k")),
            "\"k\"");
  EXPECT_EQ(session.ask(make_command("SCRIPT", "EXISTS", return_key_sha, "nosuch")), "[1, 0]");
  EXPECT_EQ(session.ask("SCRIPT FLUSH"), "OK");
  EXPECT_EQ(session.ask(make_command("SCRIPT", "EXISTS", return_key_sha)), "[0]");
  EXPECT_EQ(session.ask(make_command("EVALSHA", return_key_sha, 1, "k")), no_script);
  EXPECT_EQ(session.ask(make_command("EVAL", return_key, 1, "k")), "\"k\"");
  EXPECT_EQ(session.ask(make_command("EVALSHA", return_key_sha, 1, "k")), "\"k\"");
}

TEST(ScriptCommands, a_reset_forgets_scripts_though_they_stay_compiled) {
  TestSession session;
  session.ask(make_command("EVAL", return_key, 1, "k"));
  session.redis.reset();
  EXPECT_EQ(session.ask(make_command("EVALSHA", return_key_sha, 1, "k")), no_script);
  EXPECT_EQ(session.ask(make_command("EVAL", return_key, 1, "other")), "\"other\"");
}

TEST(ScriptCommands, their_errors_are_worded_like_the_server) {
  expect_conversation({
      {"EVAL", "ERR wrong number of arguments for 'eval' command"},
      {"EVAL x", "ERR wrong number of arguments for 'eval' command"},
      {"EVAL x y", "ERR value is not an integer or out of range"},
      {"EVAL x 1", "ERR Number of keys can't be greater than number of args"},
      {"EVAL x -1", "ERR Number of keys can't be negative"},
      {"EVAL ( 0",
       "ERR Error compiling script (new function): user_script:1: unexpected symbol near '<eof>'"},
      {"EVALSHA x y", no_script},
      {"SCRIPT", "ERR wrong number of arguments for 'script' command"},
      {"SCRIPT FOO", "ERR unknown subcommand 'FOO'. Try SCRIPT HELP."},
      {"SCRIPT LOAD", "ERR wrong number of arguments for 'script|load' command"},
      {"SCRIPT LOAD (",
       "ERR Error compiling script (new function): user_script:1: unexpected symbol near '<eof>'"},
      {"SCRIPT EXISTS", "ERR wrong number of arguments for 'script|exists' command"},
      {"SCRIPT FLUSH FOO", "ERR SCRIPT FLUSH only support SYNC|ASYNC option"},
      {"SCRIPT FLUSH ASYNC", "OK"},
  });
}

TEST(ScriptBounds, a_script_that_never_ends_is_stopped_and_what_it_wrote_stays) {
  TestSession session;
  const std::string reply = session.ask(make_command("EVAL", "redis.call('set','a',1) while true do end", 0));
  EXPECT_TRUE(reply.starts_with("ERR Script ran for more than ")) << reply;
  EXPECT_EQ(session.ask("GET a"), "\"1\"");
  EXPECT_EQ(session.ask(make_command("EVAL", "return 1", 0)), "1");
}

TEST(ScriptBounds, a_script_cannot_catch_its_own_end) {
  TestSession session;
  for (const char* script : {"while true do pcall(function() while true do end end) end",
                             "pcall(function() while true do end end) while true do end",
                             "local f f = function() return pcall(f) end while true do f() end",
                             "coroutine.wrap(function() while true do end end)()"}) {
    const std::string reply = session.ask(make_command("EVAL", script, 0));
    EXPECT_TRUE(reply.find("Script ran for more than ") != std::string::npos) << script << ": " << reply;
  }
}

TEST(ScriptBounds, endless_recursion_and_cyclic_tables_end_in_an_error) {
  TestSession session;
  const std::string recursion =
      session.ask(make_command("EVAL", "local function f() return 1+f() end return f()", 0));
  EXPECT_TRUE(recursion.starts_with("ERR user_script:1: stack overflow")) << recursion;
  const std::string cyclic = session.ask(make_command("EVAL", "local t={} t[1]=t return t", 0));
  EXPECT_TRUE(cyclic.find("ERR reached lua stack limit") != std::string::npos);
}

TEST(ScriptTime, a_script_sees_one_moment) {
  TestSession session;
  session.ask("SET a 1 PX 10");
  session.advance_ms(10);
  const char* script =
      "local before = redis.call('time') for i = 1, 1000 do redis.call('get', 'a') end "
      "local after = redis.call('time') return {before[2] == after[2], redis.call('get', 'a')}";
  EXPECT_EQ(session.ask(make_command("EVAL", script, 0)), "[1, \"1\"]");
}

TEST(ScriptState, nothing_leaks_from_one_script_to_the_next) {
  TestSession session;
  session.ask(make_command("EVAL", "return 1", 2, "k1", "k2", "secret"));
  EXPECT_EQ(session.ask(make_command("EVAL", "return {#KEYS, #ARGV}", 0)), "[0, 0]");
  session.ask(make_command("EVAL", "local hidden = 1 return 1", 0));
  EXPECT_TRUE(session.ask(make_command("EVAL", "return hidden", 0)).starts_with("ERR user_script:1: Script"));
}

TEST(ScriptState, words_are_binary_safe_both_ways) {
  TestSession session;
  const std::string binary("a\0b\r\n\xff", 6);
  session.ask(make_command("EVAL", "redis.call('set', KEYS[1], ARGV[1])", 1, binary, binary));
  EXPECT_EQ(session.submit(make_command("GET", binary)), Reply::bulk(binary));
  EXPECT_EQ(session.submit(make_command("EVAL", "return ARGV[1]", 0, binary)), Reply::bulk(binary));
}

TEST(ScriptState, PUBLISH_inside_a_script_reaches_subscribers) {
  TestSession session;
  session.ask("SUBSCRIBE ch", 7);
  EXPECT_EQ(session.ask(make_command("EVAL", "return redis.call('publish', 'ch', 'hello')", 0)), "1");
  ASSERT_EQ(session.pushes.size(), 1U);
  EXPECT_EQ(session.pushes[0].connection, 7U);
  EXPECT_EQ(session.pushes[0].channel, "ch");
  EXPECT_EQ(session.pushes[0].payload, "hello");
}

TEST(ScriptRandomness, starts_over_with_a_reset) {
  TestSession session;
  const Command draw = make_command("EVAL", "return {math.random(1000000), math.random(1000000)}", 0);
  const std::string first = session.ask(draw);
  EXPECT_NE(session.ask(draw), first);
  session.redis.reset();
  EXPECT_EQ(session.ask(draw), first);
}

}  // namespace
}  // namespace holdfast::redis
