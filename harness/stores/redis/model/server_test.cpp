// How commands are let in, transactions and subscriptions: conversations with a real server.
#include "harness/stores/redis/model/test_session.h"

namespace holdfast::redis {
namespace {

TEST(ServerRules, an_unknown_command_is_quoted_with_its_words) {
  expect_conversation({
      {"FOO", "ERR unknown command 'FOO', with args beginning with: "},
      {"foo a b", "ERR unknown command 'foo', with args beginning with: 'a' 'b' "},
      {"nosuchcommandwithaverylongname x",
       "ERR unknown command 'nosuchcommandwithaverylongname', with args beginning with: 'x' "},
      {"GET", "ERR wrong number of arguments for 'get' command"},
      {"get a b", "ERR wrong number of arguments for 'get' command"},
      {"pInG", "PONG"},
      {"PING hello", "\"hello\""},
      {"PING a b", "ERR wrong number of arguments for 'ping' command"},
      {"ECHO hello", "\"hello\""},
      {"ECHO", "ERR wrong number of arguments for 'echo' command"},
      {"SELECT 0", "OK"},
      {"SELECT x", "ERR value is not an integer or out of range"},
      {"SELECT -1", "ERR DB index is out of range"},
      {"SELECT", "ERR wrong number of arguments for 'select' command"},
      {"TIME", "[\"1700000000\", \"0\"]"},
      {"TIME x", "ERR wrong number of arguments for 'time' command"},
      {"DBSIZE x", "ERR wrong number of arguments for 'dbsize' command"},
  });
}

TEST(ServerRules, EXEC_runs_what_was_queued_and_nothing_else) {
  expect_conversation({
      {"MULTI", "OK"},
      {"SET a 1", "QUEUED"},
      {"INCR a", "QUEUED"},
      {"LPUSH a x", "QUEUED"},
      {"2> GET a", "(nil)"},
      {"EXEC", "[OK, 2, WRONGTYPE Operation against a key holding the wrong kind of value]"},
      {"GET a", "\"2\""},
      {"EXEC", "ERR EXEC without MULTI"},
      {"MULTI", "OK"},
      {"MULTI", "ERR MULTI calls can not be nested"},
      {"SET a 9", "QUEUED"},
      {"DISCARD", "OK"},
      {"GET a", "\"2\""},
      {"DISCARD", "ERR DISCARD without MULTI"},
      {"MULTI", "OK"},
      {"EXEC", "[]"},
  });
}

TEST(ServerRules, a_refused_command_spoils_the_transaction) {
  expect_conversation({
      {"MULTI", "OK"},
      {"SET a 1", "QUEUED"},
      {"FOO", "ERR unknown command 'FOO', with args beginning with: "},
      {"SET a", "ERR wrong number of arguments for 'set' command"},
      {"EXEC", "EXECABORT Transaction discarded because of previous errors."},
      {"EXISTS a", "0"},
      {"MULTI", "OK"},
      {"EXEC x", "EXECABORT Transaction discarded because of: wrong number of arguments for 'exec' command"},
      {"EXEC", "ERR EXEC without MULTI"},
  });
}

TEST(ServerRules, WATCH_aborts_when_a_key_changed_or_expired) {
  expect_conversation({
      {"WATCH a", "OK"},
      {"2> SET a 1", "OK"},
      {"MULTI", "OK"},
      {"SET a 2", "QUEUED"},
      {"EXEC", "(nil)"},
      {"GET a", "\"1\""},
      {"WATCH a", "OK"},
      {"MULTI", "OK"},
      {"SET a 3", "QUEUED"},
      {"EXEC", "[OK]"},
      {"WATCH a", "OK"},
      {"2> SET a 4", "OK"},
      {"UNWATCH", "OK"},
      {"MULTI", "OK"},
      {"SET a 5", "QUEUED"},
      {"EXEC", "[OK]"},
      {"SET a 1 PX 10", "OK"},
      {"WATCH a", "OK"},
      {"+11", ""},
      {"MULTI", "OK"},
      {"SET a 2", "QUEUED"},
      {"EXEC", "(nil)"},
      {"WATCH nosuch", "OK"},
      {"2> DEL nosuch", "0"},
      {"MULTI", "OK"},
      {"WATCH a", "ERR WATCH inside MULTI is not allowed"},
      {"EXEC", "[]"},
      {"WATCH a", "OK"},
      {"2> FLUSHALL", "OK"},
      {"MULTI", "OK"},
      {"EXEC", "[]"},
  });
}

TEST(ServerRules, a_subscribed_connection_may_do_little_else) {
  expect_conversation({
      {"SUBSCRIBE ch", "[\"subscribe\", \"ch\", 1]"},
      {"GET a",
       "ERR Can't execute 'get': only (P|S)SUBSCRIBE / (P|S)UNSUBSCRIBE / PING / QUIT / RESET are allowed in "
       "this context"},
      {"MULTI",
       "ERR Can't execute 'multi': only (P|S)SUBSCRIBE / (P|S)UNSUBSCRIBE / PING / QUIT / RESET are allowed "
       "in this context"},
      {"EVAL return 0",
       "ERR Can't execute 'eval': only (P|S)SUBSCRIBE / (P|S)UNSUBSCRIBE / PING / QUIT / RESET are allowed "
       "in this context"},
      {"FOO", "ERR unknown command 'FOO', with args beginning with: "},
      {"PING", "[\"pong\", \"\"]"},
      {"PING x", "[\"pong\", \"x\"]"},
      {"SUBSCRIBE other", "[\"subscribe\", \"other\", 2]"},
      {"SUBSCRIBE ch", "[\"subscribe\", \"ch\", 2]"},
      {"UNSUBSCRIBE nosuch", "[\"unsubscribe\", \"nosuch\", 2]"},
      {"UNSUBSCRIBE ch", "[\"unsubscribe\", \"ch\", 1]"},
      {"UNSUBSCRIBE", "[\"unsubscribe\", \"other\", 0]"},
      {"UNSUBSCRIBE", "[\"unsubscribe\", (nil), 0]"},
      {"GET a", "(nil)"},
      {"2> PUBLISH ch x", "0"},
      {"SUBSCRIBE", "ERR wrong number of arguments for 'subscribe' command"},
      {"PUBLISH ch", "ERR wrong number of arguments for 'publish' command"},
  });
}

}  // namespace
}  // namespace holdfast::redis
