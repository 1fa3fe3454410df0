// Keys whatever they hold: conversations with a real server, held again with the model.
#include "harness/stores/redis/model/test_session.h"

namespace holdfast::redis {
namespace {

TEST(KeyCommands, DEL_EXISTS_and_TYPE_count_and_name) {
  expect_conversation({
      {"MSET a 1 b 2", "OK"},
      {"EXISTS a b c a", "3"},
      {"DEL a c a", "1"},
      {"EXISTS a", "0"},
      {"UNLINK b", "1"},
      {"DEL b", "0"},
      {"RPUSH l x", "1"},
      {"HSET h f v", "1"},
      {"ZADD z 1 m", "1"},
      {"SADD s m", "1"},
      {"SET t v", "OK"},
      {"TYPE l", "list"},
      {"TYPE h", "hash"},
      {"TYPE z", "zset"},
      {"TYPE s", "set"},
      {"TYPE t", "string"},
      {"TYPE nosuch", "none"},
      {"DEL", "ERR wrong number of arguments for 'del' command"},
      {"EXISTS", "ERR wrong number of arguments for 'exists' command"},
      {"TYPE", "ERR wrong number of arguments for 'type' command"},
  });
}

TEST(KeyCommands, FLUSHALL_empties_the_server) {
  expect_conversation({
      {"SET a 1", "OK"},
      {"FLUSHALL", "OK"},
      {"EXISTS a", "0"},
      {"SET a 1", "OK"},
      {"FLUSHDB ASYNC", "OK"},
      {"DBSIZE", "0"},
      {"FLUSHALL SYNC", "OK"},
      {"FLUSHALL foo", "ERR syntax error"},
      {"FLUSHDB SYNC foo", "ERR syntax error"},
  });
}

TEST(KeyCommands, KEYS_matches_patterns) {
  expect_conversation({
      {"SET lock:1 x", "OK"},
      {"KEYS lock:*", "[\"lock:1\"]"},
      {"KEYS lock:?", "[\"lock:1\"]"},
      {"KEYS lock:??", "[]"},
      {"KEYS lock:[0-9]", "[\"lock:1\"]"},
      {"KEYS lock:[^1]", "[]"},
      {"KEYS l*k*1", "[\"lock:1\"]"},
      {"KEYS \\lock:1", "[\"lock:1\"]"},
      {"KEYS nosuch*", "[]"},
      {"KEYS [l", "[]"},
      {"KEYS", "ERR wrong number of arguments for 'keys' command"},
      {"DBSIZE", "1"},
  });
}

}  // namespace
}  // namespace holdfast::redis
