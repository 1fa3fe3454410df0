// Strings beyond SET: conversations with a real server, held again with the model.
#include "harness/stores/redis/model/test_session.h"

namespace holdfast::redis {
namespace {

TEST(StringCommands, GET_and_its_relatives_read_and_replace) {
  expect_conversation({
      {"GET a", "(nil)"},
      {"GETSET a 1", "(nil)"},
      {"GETSET a 2", "\"1\""},
      {"GET a", "\"2\""},
      {"EXPIRE a 100", "1"},
      {"GETSET a 3", "\"2\""},
      {"TTL a", "-1"},
      {"GETDEL a", "\"3\""},
      {"GETDEL a", "(nil)"},
      {"EXISTS a", "0"},
      {"RPUSH list x", "1"},
      {"GET list", "WRONGTYPE Operation against a key holding the wrong kind of value"},
      {"GETSET list 1", "WRONGTYPE Operation against a key holding the wrong kind of value"},
      {"GETDEL list", "WRONGTYPE Operation against a key holding the wrong kind of value"},
      {"STRLEN list", "WRONGTYPE Operation against a key holding the wrong kind of value"},
      {"APPEND list x", "WRONGTYPE Operation against a key holding the wrong kind of value"},
      {"GET", "ERR wrong number of arguments for 'get' command"},
      {"GET a b", "ERR wrong number of arguments for 'get' command"},
      {"GETSET a", "ERR wrong number of arguments for 'getset' command"},
  });
}

TEST(StringCommands, MGET_and_MSET_take_many_keys) {
  expect_conversation({
      {"MSET a 1 b 2", "OK"},
      {"MGET a b c", "[\"1\", \"2\", (nil)]"},
      {"RPUSH list x", "1"},
      {"MGET a list", "[\"1\", (nil)]"},
      {"MSET a", "ERR wrong number of arguments for 'mset' command"},
      {"MSET a 1 b", "ERR wrong number of arguments for 'mset' command"},
      {"MSET list 1", "OK"},
      {"TYPE list", "string"},
  });
}

TEST(StringCommands, APPEND_and_STRLEN_measure) {
  expect_conversation({
      {"STRLEN a", "0"},
      {"APPEND a hello", "5"},
      {"APPEND a ,you", "9"},
      {"GET a", "\"hello,you\""},
      {"STRLEN a", "9"},
  });
}

TEST(StringCommands, counting_is_strict_about_integers_and_overflow) {
  expect_conversation({
      {"INCR a", "1"},
      {"INCRBY a 10", "11"},
      {"DECR a", "10"},
      {"DECRBY a 20", "-10"},
      {"GET a", "\"-10\""},
      {"SET a 9223372036854775807", "OK"},
      {"INCR a", "ERR increment or decrement would overflow"},
      {"INCRBY a 1", "ERR increment or decrement would overflow"},
      {"DECRBY a -1", "ERR increment or decrement would overflow"},
      {"SET a -9223372036854775808", "OK"},
      {"DECR a", "ERR increment or decrement would overflow"},
      {"DECRBY a -9223372036854775808", "ERR decrement would overflow"},
      {"SET a x", "OK"},
      {"INCR a", "ERR value is not an integer or out of range"},
      {"SET a 1.5", "OK"},
      {"INCR a", "ERR value is not an integer or out of range"},
      {"SET a 007", "OK"},
      {"INCR a", "ERR value is not an integer or out of range"},
      {"SET a +1", "OK"},
      {"INCR a", "ERR value is not an integer or out of range"},
      {"SET a -0", "OK"},
      {"INCR a", "ERR value is not an integer or out of range"},
      {"INCRBY a x", "ERR value is not an integer or out of range"},
      {"INCRBY a 1.0", "ERR value is not an integer or out of range"},
      {"INCRBY a 9223372036854775808", "ERR value is not an integer or out of range"},
      {"RPUSH list x", "1"},
      {"INCR list", "WRONGTYPE Operation against a key holding the wrong kind of value"},
      {"INCRBY list x", "ERR value is not an integer or out of range"},
  });
}

TEST(StringCommands, counting_keeps_the_expiry) {
  expect_conversation({
      {"SET a 1 EX 100", "OK"},
      {"INCR a", "2"},
      {"TTL a", "100"},
  });
}

}  // namespace
}  // namespace holdfast::redis
