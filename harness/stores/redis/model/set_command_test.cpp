// SET, its options and its kin: conversations with a real server, held again with the model.
#include "harness/stores/redis/model/test_session.h"

namespace holdfast::redis {
namespace {

TEST(SetCommand, stores_and_overwrites_a_value_and_drops_its_expiry) {
  expect_conversation({
      {"SET a 1", "OK"},
      {"GET a", "\"1\""},
      {"set a 2 EX 10", "OK"},
      {"get a", "\"2\""},
      {"TTL a", "10"},
      {"SET a 3", "OK"},
      {"TTL a", "-1"},
      {"SET a 4 PX 1500", "OK"},
      {"PTTL a", "1500"},
      {"SET a 5 KEEPTTL", "OK"},
      {"PTTL a", "1500"},
      {"SET b 1 KEEPTTL", "OK"},
      {"TTL b", "-1"},
      {"RPUSH list x", "1"},
      {"SET list now-a-string", "OK"},
      {"TYPE list", "string"},
  });
}

TEST(SetCommand, grants_NX_once_until_the_key_is_gone) {
  expect_conversation({
      {"SET lock c1 NX PX 30000", "OK"},
      {"SET lock c2 NX PX 30000", "(nil)"},
      {"GET lock", "\"c1\""},
      {"DEL lock", "1"},
      {"SET lock c2 NX PX 30000", "OK"},
      {"GET lock", "\"c2\""},
  });
}

TEST(SetCommand, obeys_NX_XX_and_GET_together) {
  expect_conversation({
      {"SET a 1 XX", "(nil)"},
      {"EXISTS a", "0"},
      {"SET a 1 NX", "OK"},
      {"SET a 2 NX", "(nil)"},
      {"SET a 2 XX", "OK"},
      {"GET a", "\"2\""},
      {"SET a 3 GET", "\"2\""},
      {"SET b 1 GET", "(nil)"},
      {"GET b", "\"1\""},
      {"SET a 4 NX GET", "\"3\""},
      {"GET a", "\"3\""},
      {"SET c 1 NX GET", "(nil)"},
      {"GET c", "\"1\""},
      {"SET d 1 XX GET", "(nil)"},
      {"GET d", "(nil)"},
      {"RPUSH list x", "1"},
      {"SET list 1 GET", "WRONGTYPE Operation against a key holding the wrong kind of value"},
      {"SET list 1 NX GET", "WRONGTYPE Operation against a key holding the wrong kind of value"},
      {"SET list 1 NX", "(nil)"},
      {"TYPE list", "list"},
  });
}

TEST(SetCommand, takes_absolute_expiry_times) {
  expect_conversation({
      {"SET a 1 PXAT 1700000000500", "OK"},
      {"PTTL a", "500"},
      {"SET a 1 EXAT 1700000010", "OK"},
      {"PTTL a", "10000"},
      {"SET a 1 PXAT 1", "OK"},
      {"GET a", "(nil)"},
      {"SET a 1 EXAT 1", "OK"},
      {"EXISTS a", "0"},
  });
}

TEST(SetCommand, words_its_errors_like_the_server) {
  expect_conversation({
      {"SET", "ERR wrong number of arguments for 'set' command"},
      {"SET a", "ERR wrong number of arguments for 'set' command"},
      {"SET a 1 FOO", "ERR syntax error"},
      {"SET a 1 NX XX", "ERR syntax error"},
      {"SET a 1 EX", "ERR syntax error"},
      {"SET a 1 EX 10 PX 10", "ERR syntax error"},
      {"SET a 1 EX 10 KEEPTTL", "ERR syntax error"},
      {"SET a 1 KEEPTTL EX 10", "ERR syntax error"},
      {"SET a 1 PERSIST", "ERR syntax error"},
      {"SET a 1 EX 10 EX 20", "OK"},
      {"TTL a", "20"},
      {"SET a 1 EX 0", "ERR invalid expire time in 'set' command"},
      {"SET a 1 EX -1", "ERR invalid expire time in 'set' command"},
      {"SET a 1 PX 0", "ERR invalid expire time in 'set' command"},
      {"SET a 1 PX x", "ERR value is not an integer or out of range"},
      {"SET a 1 PX 1.5", "ERR value is not an integer or out of range"},
      {"SET a 1 PX 010", "ERR value is not an integer or out of range"},
      {"SET a 1 PXAT 0", "ERR invalid expire time in 'set' command"},
      {"SET a 1 EX 9223372036854775807", "ERR invalid expire time in 'set' command"},
      {"SET a 1 EX 9223372036854775", "ERR invalid expire time in 'set' command"},
      {"SET a 1 PX 9223372036854775807", "ERR invalid expire time in 'set' command"},
      {"SET a 1 PX 9223372036854775808", "ERR value is not an integer or out of range"},
      {"SET a 1 px 10 nx foo", "ERR syntax error"},
  });
}

TEST(SetCommand, SETNX_SETEX_and_PSETEX_are_SET_under_other_names) {
  expect_conversation({
      {"SETNX a 1", "1"},
      {"SETNX a 2", "0"},
      {"GET a", "\"1\""},
      {"TTL a", "-1"},
      {"SETEX a 10 3", "OK"},
      {"TTL a", "10"},
      {"PSETEX a 1500 4", "OK"},
      {"PTTL a", "1500"},
      {"SETNX a 5", "0"},
      {"SETEX a 0 1", "ERR invalid expire time in 'setex' command"},
      {"SETEX a -1 1", "ERR invalid expire time in 'setex' command"},
      {"SETEX a x 1", "ERR value is not an integer or out of range"},
      {"PSETEX a 0 1", "ERR invalid expire time in 'psetex' command"},
      {"SETEX a 10", "ERR wrong number of arguments for 'setex' command"},
      {"SETNX a", "ERR wrong number of arguments for 'setnx' command"},
      {"PSETEX a 1", "ERR wrong number of arguments for 'psetex' command"},
      {"SETEX a 9223372036854775807 1", "ERR invalid expire time in 'setex' command"},
  });
}

TEST(SetCommand, GETEX_reads_and_moves_the_expiry) {
  expect_conversation({
      {"GETEX a", "(nil)"},
      {"SET a 1", "OK"},
      {"GETEX a", "\"1\""},
      {"GETEX a EX 10", "\"1\""},
      {"TTL a", "10"},
      {"GETEX a PX 500", "\"1\""},
      {"PTTL a", "500"},
      {"GETEX a PERSIST", "\"1\""},
      {"TTL a", "-1"},
      {"GETEX a PXAT 1700000001000", "\"1\""},
      {"PTTL a", "1000"},
      {"GETEX a EXAT 1700000002", "\"1\""},
      {"PTTL a", "2000"},
      {"GETEX a EX 0", "ERR invalid expire time in 'getex' command"},
      {"GETEX a EX x", "ERR value is not an integer or out of range"},
      {"GETEX a NX", "ERR syntax error"},
      {"GETEX a EX 1 PERSIST", "ERR syntax error"},
      {"GETEX a EX", "ERR syntax error"},
      {"GETEX nosuch EX 0", "(nil)"},
      {"RPUSH list x", "1"},
      {"GETEX list", "WRONGTYPE Operation against a key holding the wrong kind of value"},
      {"GETEX list EX 0", "WRONGTYPE Operation against a key holding the wrong kind of value"},
      {"GETEX a PXAT 1", "\"1\""},
      {"EXISTS a", "0"},
  });
}

}  // namespace
}  // namespace holdfast::redis
