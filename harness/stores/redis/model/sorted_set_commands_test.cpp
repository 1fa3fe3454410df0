// Sorted sets: conversations with a real server, held again with the model.
#include "harness/stores/redis/model/test_session.h"

namespace holdfast::redis {
namespace {

TEST(SortedSetCommands, members_stand_in_order_of_score_then_name) {
  expect_conversation({
      {"ZADD z 2 b 1 c 2 a 0.5 d", "4"},
      {"ZRANGE z 0 -1", "[\"d\", \"c\", \"a\", \"b\"]"},
      {"ZRANGE z 0 -1 WITHSCORES", "[\"d\", \"0.5\", \"c\", \"1\", \"a\", \"2\", \"b\", \"2\"]"},
      {"ZRANK z d", "0"},
      {"ZRANK z b", "3"},
      {"ZREVRANK z b", "0"},
      {"ZRANK z nosuch", "(nil)"},
      {"ZRANK nosuch a", "(nil)"},
      {"ZCARD z", "4"},
      {"ZSCORE z d", "\"0.5\""},
      {"ZSCORE z nosuch", "(nil)"},
      {"ZADD z 0.1 e inf f -inf g", "3"},
      {"ZSCORE z e", "\"0.10000000000000001\""},
      {"ZSCORE z f", "\"inf\""},
      {"ZSCORE z g", "\"-inf\""},
      {"ZREM z d c nosuch", "2"},
      {"ZCARD z", "5"},
      {"ZREM z a b e f g", "5"},
      {"EXISTS z", "0"},
      {"ZREM z a", "0"},
      {"ZCARD z", "0"},
  });
}

TEST(SortedSetCommands, ZADD_obeys_its_options) {
  expect_conversation({
      {"ZADD z 1 a", "1"},
      {"ZADD z NX 2 a 1 b", "1"},
      {"ZADD z XX 3 a 1 c", "0"},
      {"ZSCORE z a", "\"3\""},
      {"ZADD z XX CH 4 a 1 c", "1"},
      {"ZADD z CH 5 a 1 c", "2"},
      {"ZADD z GT 4 a", "0"},
      {"ZSCORE z a", "\"5\""},
      {"ZADD z GT CH 6 a", "1"},
      {"ZADD z LT CH 9 a", "0"},
      {"ZADD z LT CH 2 a", "1"},
      {"ZADD z INCR 2.5 a", "\"4.5\""},
      {"ZADD z NX INCR 1 a", "(nil)"},
      {"ZADD z XX INCR 1 nosuch", "(nil)"},
      {"ZADD z GT INCR -1 a", "(nil)"},
      {"ZADD nosuch XX 1 a", "0"},
      {"ZADD nosuch XX INCR 1 a", "(nil)"},
      {"EXISTS nosuch", "0"},
      {"ZINCRBY z 2 a", "\"6.5\""},
      {"ZINCRBY z -0.5 new", "\"-0.5\""},
  });
}

TEST(SortedSetCommands, ZADD_words_its_errors_like_the_server) {
  expect_conversation({
      {"ZADD z", "ERR wrong number of arguments for 'zadd' command"},
      {"ZADD z 1", "ERR wrong number of arguments for 'zadd' command"},
      {"ZADD z 1 a 2", "ERR syntax error"},
      {"ZADD z NX XX 1 a", "ERR XX and NX options at the same time are not compatible"},
      {"ZADD z NX GT 1 a", "ERR GT, LT, and/or NX options at the same time are not compatible"},
      {"ZADD z GT LT 1 a", "ERR GT, LT, and/or NX options at the same time are not compatible"},
      {"ZADD z INCR 1 a 2 b", "ERR INCR option supports a single increment-element pair"},
      {"ZADD z x a", "ERR value is not a valid float"},
      {"ZADD z nan a", "ERR value is not a valid float"},
      {"ZADD z NX", "ERR wrong number of arguments for 'zadd' command"},
      {"ZADD z inf a", "1"},
      {"ZINCRBY z -inf a", "ERR resulting score is not a number (NaN)"},
      {"ZINCRBY z x a", "ERR value is not a valid float"},
      {"ZADD z INCR -inf a", "ERR resulting score is not a number (NaN)"},
      {"EXISTS z", "1"},
      {"SET a 1", "OK"},
      {"ZADD a 1 m", "WRONGTYPE Operation against a key holding the wrong kind of value"},
      {"ZADD a x m", "ERR value is not a valid float"},
      {"ZREM a m", "WRONGTYPE Operation against a key holding the wrong kind of value"},
      {"ZSCORE a m", "WRONGTYPE Operation against a key holding the wrong kind of value"},
      {"ZRANK a m", "WRONGTYPE Operation against a key holding the wrong kind of value"},
      {"ZCARD a", "WRONGTYPE Operation against a key holding the wrong kind of value"},
      {"ZINCRBY a 1 m", "WRONGTYPE Operation against a key holding the wrong kind of value"},
  });
}

TEST(SortedSetCommands, ranges_by_rank) {
  expect_conversation({
      {"ZADD z 1 a 2 b 3 c 4 d", "4"},
      {"ZRANGE z 1 2", "[\"b\", \"c\"]"},
      {"ZRANGE z -2 -1", "[\"c\", \"d\"]"},
      {"ZRANGE z 0 -1 REV", "[\"d\", \"c\", \"b\", \"a\"]"},
      {"ZRANGE z 0 1 REV WITHSCORES", "[\"d\", \"4\", \"c\", \"3\"]"},
      {"ZREVRANGE z 0 1", "[\"d\", \"c\"]"},
      {"ZREVRANGE z 0 -1 WITHSCORES", "[\"d\", \"4\", \"c\", \"3\", \"b\", \"2\", \"a\", \"1\"]"},
      {"ZRANGE z 3 1", "[]"},
      {"ZRANGE z 9 10", "[]"},
      {"ZRANGE nosuch 0 -1", "[]"},
      {"ZREMRANGEBYRANK z 0 0", "1"},
      {"ZREMRANGEBYRANK z -1 -1", "1"},
      {"ZRANGE z 0 -1", "[\"b\", \"c\"]"},
      {"ZREMRANGEBYRANK z 0 -1", "2"},
      {"EXISTS z", "0"},
  });
}

TEST(SortedSetCommands, ranges_by_score) {
  expect_conversation({
      {"ZADD z 1 a 2 b 3 c 4 d", "4"},
      {"ZRANGEBYSCORE z 2 3", "[\"b\", \"c\"]"},
      {"ZRANGEBYSCORE z (2 3", "[\"c\"]"},
      {"ZRANGEBYSCORE z 2 (3", "[\"b\"]"},
      {"ZRANGEBYSCORE z -inf +inf WITHSCORES", "[\"a\", \"1\", \"b\", \"2\", \"c\", \"3\", \"d\", \"4\"]"},
      {"ZRANGEBYSCORE z -inf +inf LIMIT 1 2", "[\"b\", \"c\"]"},
      {"ZRANGEBYSCORE z -inf +inf LIMIT 1 -1", "[\"b\", \"c\", \"d\"]"},
      {"ZRANGEBYSCORE z -inf +inf LIMIT -1 2", "[]"},
      {"ZRANGEBYSCORE z -inf +inf limit 0 1 withscores", "[\"a\", \"1\"]"},
      {"ZREVRANGEBYSCORE z 3 2", "[\"c\", \"b\"]"},
      {"ZREVRANGEBYSCORE z +inf -inf LIMIT 0 1", "[\"d\"]"},
      {"ZRANGE z 2 3 BYSCORE", "[\"b\", \"c\"]"},
      {"ZRANGE z 3 2 BYSCORE REV", "[\"c\", \"b\"]"},
      {"ZRANGE z (1 +inf BYSCORE LIMIT 0 2 WITHSCORES", "[\"b\", \"2\", \"c\", \"3\"]"},
      {"ZRANGE z 3 2 BYSCORE", "[]"},
      {"ZCOUNT z 2 3", "2"},
      {"ZCOUNT z (2 +inf", "2"},
      {"ZCOUNT nosuch 0 1", "0"},
      {"ZREMRANGEBYSCORE z -inf (2", "1"},
      {"ZRANGE z 0 -1", "[\"b\", \"c\", \"d\"]"},
      {"ZREMRANGEBYSCORE z 0 100", "3"},
      {"EXISTS z", "0"},
      {"ZREMRANGEBYSCORE z 0 100", "0"},
  });
}

TEST(SortedSetCommands, ranges_word_their_errors_like_the_server) {
  expect_conversation({
      {"ZRANGE z 0", "ERR wrong number of arguments for 'zrange' command"},
      {"ZRANGE z x 1", "ERR value is not an integer or out of range"},
      {"ZRANGE z 0 1 FOO", "ERR syntax error"},
      {"ZRANGE z 0 1 LIMIT 0 1",
       "ERR syntax error, LIMIT is only supported in combination with either BYSCORE or BYLEX"},
      {"ZRANGE z 0 1 BYSCORE LIMIT 0", "ERR syntax error"},
      {"ZRANGE z 0 1 BYSCORE LIMIT x 1", "ERR value is not an integer or out of range"},
      {"ZRANGE z 0 1 BYSCORE BYSCORE", "ERR syntax error"},
      {"ZRANGE z a b BYSCORE", "ERR min or max is not a float"},
      {"ZRANGEBYSCORE z a 1", "ERR min or max is not a float"},
      {"ZRANGEBYSCORE z 0 1 REV", "ERR syntax error"},
      {"ZREVRANGE z 0 1 BYSCORE", "ERR syntax error"},
      {"ZCOUNT z a b", "ERR min or max is not a float"},
      {"ZCOUNT z 1", "ERR wrong number of arguments for 'zcount' command"},
      {"ZREMRANGEBYSCORE z a b", "ERR min or max is not a float"},
      {"ZREMRANGEBYRANK z a b", "ERR value is not an integer or out of range"},
      {"SET a 1", "OK"},
      {"ZRANGE a 0 1", "WRONGTYPE Operation against a key holding the wrong kind of value"},
      {"ZRANGEBYSCORE a 0 1", "WRONGTYPE Operation against a key holding the wrong kind of value"},
      {"ZCOUNT a 0 1", "WRONGTYPE Operation against a key holding the wrong kind of value"},
      {"ZREMRANGEBYSCORE a 0 1", "WRONGTYPE Operation against a key holding the wrong kind of value"},
      {"ZREMRANGEBYRANK a 0 1", "WRONGTYPE Operation against a key holding the wrong kind of value"},
  });
}

}  // namespace
}  // namespace holdfast::redis
