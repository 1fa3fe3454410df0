// Sets: conversations with a real server, held again with the model.
#include "harness/stores/redis/model/test_session.h"

namespace holdfast::redis {
namespace {

TEST(SetCommands, members_are_unique_and_integers_ascend) {
  expect_conversation({
      {"SADD s 3 1 2 1", "3"},
      {"SADD s -5", "1"},
      {"SMEMBERS s", "[\"-5\", \"1\", \"2\", \"3\"]"},
      {"SCARD s", "4"},
      {"SISMEMBER s 1", "1"},
      {"SISMEMBER s 9", "0"},
      {"SREM s 1 9", "1"},
      {"SMEMBERS s", "[\"-5\", \"2\", \"3\"]"},
      {"SREM s 2 3 -5", "3"},
      {"EXISTS s", "0"},
      {"SMEMBERS s", "[]"},
      {"SCARD s", "0"},
      {"SREM s 1", "0"},
      {"SISMEMBER s 1", "0"},
      {"SADD t word", "1"},
      {"SMEMBERS t", "[\"word\"]"},
      {"SADD s", "ERR wrong number of arguments for 'sadd' command"},
      {"SET a 1", "OK"},
      {"SADD a 1", "WRONGTYPE Operation against a key holding the wrong kind of value"},
      {"SREM a 1", "WRONGTYPE Operation against a key holding the wrong kind of value"},
      {"SISMEMBER a 1", "WRONGTYPE Operation against a key holding the wrong kind of value"},
      {"SMEMBERS a", "WRONGTYPE Operation against a key holding the wrong kind of value"},
      {"SCARD a", "WRONGTYPE Operation against a key holding the wrong kind of value"},
  });
}

}  // namespace
}  // namespace holdfast::redis
