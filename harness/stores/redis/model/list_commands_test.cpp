// Lists: conversations with a real server, held again with the model.
#include "harness/stores/redis/model/test_session.h"

namespace holdfast::redis {
namespace {

TEST(ListCommands, elements_enter_and_leave_at_both_ends) {
  expect_conversation({
      {"RPUSH l a b c", "3"},
      {"LPUSH l x y", "5"},
      {"LRANGE l 0 -1", "[\"y\", \"x\", \"a\", \"b\", \"c\"]"},
      {"LLEN l", "5"},
      {"LPOP l", "\"y\""},
      {"RPOP l", "\"c\""},
      {"LPOP l 2", "[\"x\", \"a\"]"},
      {"RPOP l 0", "[]"},
      {"RPOP l 10", "[\"b\"]"},
      {"EXISTS l", "0"},
      {"LPOP l", "(nil)"},
      {"LPOP l 1", "(nil)"},
      {"LLEN l", "0"},
  });
}

TEST(ListCommands, ranges_and_indexes_count_from_both_ends) {
  expect_conversation({
      {"RPUSH l a b c d", "4"},
      {"LRANGE l 1 2", "[\"b\", \"c\"]"},
      {"LRANGE l -2 -1", "[\"c\", \"d\"]"},
      {"LRANGE l -100 100", "[\"a\", \"b\", \"c\", \"d\"]"},
      {"LRANGE l 3 1", "[]"},
      {"LRANGE l 9 10", "[]"},
      {"LINDEX l 0", "\"a\""},
      {"LINDEX l -1", "\"d\""},
      {"LINDEX l 4", "(nil)"},
      {"LINDEX l -5", "(nil)"},
      {"LINDEX nosuch x", "(nil)"},
      {"LRANGE nosuch 0 -1", "[]"},
  });
}

TEST(ListCommands, LREM_removes_from_either_side) {
  expect_conversation({
      {"RPUSH l a b a c a", "5"},
      {"LREM l 1 a", "1"},
      {"LRANGE l 0 -1", "[\"b\", \"a\", \"c\", \"a\"]"},
      {"LREM l -1 a", "1"},
      {"LRANGE l 0 -1", "[\"b\", \"a\", \"c\"]"},
      {"RPUSH l b b", "5"},
      {"LREM l 0 b", "3"},
      {"LRANGE l 0 -1", "[\"a\", \"c\"]"},
      {"LREM l 0 nosuch", "0"},
      {"LREM l 0 a", "1"},
      {"LREM l 0 c", "1"},
      {"EXISTS l", "0"},
      {"LREM l 0 a", "0"},
  });
}

TEST(ListCommands, its_errors_are_worded_like_the_server) {
  expect_conversation({
      {"RPUSH l", "ERR wrong number of arguments for 'rpush' command"},
      {"RPUSH l a", "1"},
      {"LPOP l x", "ERR value is out of range, must be positive"},
      {"LPOP l -1", "ERR value is out of range, must be positive"},
      {"LPOP l 1 2", "ERR wrong number of arguments for 'lpop' command"},
      {"LRANGE l x 1", "ERR value is not an integer or out of range"},
      {"LRANGE l 0", "ERR wrong number of arguments for 'lrange' command"},
      {"LINDEX l x", "ERR value is not an integer or out of range"},
      {"LREM l x a", "ERR value is not an integer or out of range"},
      {"SET a 1", "OK"},
      {"LPUSH a x", "WRONGTYPE Operation against a key holding the wrong kind of value"},
      {"RPUSH a x", "WRONGTYPE Operation against a key holding the wrong kind of value"},
      {"LPOP a", "WRONGTYPE Operation against a key holding the wrong kind of value"},
      {"LLEN a", "WRONGTYPE Operation against a key holding the wrong kind of value"},
      {"LRANGE a 0 1", "WRONGTYPE Operation against a key holding the wrong kind of value"},
      {"LINDEX a 0", "WRONGTYPE Operation against a key holding the wrong kind of value"},
      {"LREM a 0 x", "WRONGTYPE Operation against a key holding the wrong kind of value"},
  });
}

}  // namespace
}  // namespace holdfast::redis
