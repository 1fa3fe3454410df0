// Hashes: conversations with a real server, held again with the model.
#include "harness/stores/redis/model/test_session.h"

namespace holdfast::redis {
namespace {

TEST(HashCommands, fields_are_set_read_and_removed) {
  expect_conversation({
      {"HSET h f 1 g 2", "2"},
      {"HSET h f 3 i 4", "1"},
      {"HGET h f", "\"3\""},
      {"HGET h nosuch", "(nil)"},
      {"HGET nosuch f", "(nil)"},
      {"HMGET h f nosuch g", "[\"3\", (nil), \"2\"]"},
      {"HMGET nosuch f", "[(nil)]"},
      {"HEXISTS h f", "1"},
      {"HEXISTS h nosuch", "0"},
      {"HLEN h", "3"},
      {"HGETALL h", "[\"f\", \"3\", \"g\", \"2\", \"i\", \"4\"]"},
      {"HKEYS h", "[\"f\", \"g\", \"i\"]"},
      {"HVALS h", "[\"3\", \"2\", \"4\"]"},
      {"HDEL h g nosuch", "1"},
      {"HGETALL h", "[\"f\", \"3\", \"i\", \"4\"]"},
      {"HSETNX h f 9", "0"},
      {"HSETNX h k 9", "1"},
      {"HMSET h f 7 k 8", "OK"},
      {"HGETALL h", "[\"f\", \"7\", \"i\", \"4\", \"k\", \"8\"]"},
      {"HDEL h f i k", "3"},
      {"EXISTS h", "0"},
      {"HGETALL h", "[]"},
      {"HLEN h", "0"},
      {"HDEL h f", "0"},
  });
}

TEST(HashCommands, HINCRBY_counts_and_keeps_the_expiry) {
  expect_conversation({
      {"HINCRBY h c1:7 1", "1"},
      {"PEXPIRE h 30000", "1"},
      {"HINCRBY h c1:7 1", "2"},
      {"PTTL h", "30000"},
      {"HINCRBY h c1:7 -2", "0"},
      {"HGET h c1:7", "\"0\""},
      {"HSET h big 9223372036854775807", "1"},
      {"HINCRBY h big 1", "ERR increment or decrement would overflow"},
      {"HSET h text x", "1"},
      {"HINCRBY h text 1", "ERR hash value is not an integer"},
      {"HINCRBY h c1:7 x", "ERR value is not an integer or out of range"},
      {"HINCRBY h c1:7", "ERR wrong number of arguments for 'hincrby' command"},
  });
}

TEST(HashCommands, its_errors_are_worded_like_the_server) {
  expect_conversation({
      {"HSET h f", "ERR wrong number of arguments for 'hset' command"},
      {"HSET h f 1 g", "ERR wrong number of arguments for 'hset' command"},
      {"HMSET h f", "ERR wrong number of arguments for 'hmset' command"},
      {"HMSET h f 1 g", "ERR wrong number of arguments for 'hmset' command"},
      {"HGET h", "ERR wrong number of arguments for 'hget' command"},
      {"SET a 1", "OK"},
      {"HSET a f 1", "WRONGTYPE Operation against a key holding the wrong kind of value"},
      {"HGET a f", "WRONGTYPE Operation against a key holding the wrong kind of value"},
      {"HMGET a f", "WRONGTYPE Operation against a key holding the wrong kind of value"},
      {"HDEL a f", "WRONGTYPE Operation against a key holding the wrong kind of value"},
      {"HEXISTS a f", "WRONGTYPE Operation against a key holding the wrong kind of value"},
      {"HINCRBY a f 1", "WRONGTYPE Operation against a key holding the wrong kind of value"},
      {"HINCRBY a f x", "ERR value is not an integer or out of range"},
      {"HLEN a", "WRONGTYPE Operation against a key holding the wrong kind of value"},
      {"HGETALL a", "WRONGTYPE Operation against a key holding the wrong kind of value"},
      {"HKEYS a", "WRONGTYPE Operation against a key holding the wrong kind of value"},
      {"HVALS a", "WRONGTYPE Operation against a key holding the wrong kind of value"},
      {"HSETNX a f 1", "WRONGTYPE Operation against a key holding the wrong kind of value"},
  });
}

}  // namespace
}  // namespace holdfast::redis
