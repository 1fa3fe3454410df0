// RESP2 as bytes: every prefix of a message is too short, the whole is understood, garbage is refused.
#include "harness/stores/redis/wire/resp.h"

#include <gtest/gtest.h>

#include "harness/machine/process/live_error.h"

namespace holdfast::live {
namespace resp_test {

TEST(Resp, FindsTheEndOfAMessageAndNotBefore) {
  for (const std::string message : {"+OK\r\n", "-ERR no\r\n", ":42\r\n", "$-1\r\n", "$0\r\n\r\n",
                                    "$4\r\na\r\nb\r\n", "*0\r\n", "*2\r\n$1\r\na\r\n*1\r\n:1\r\n"}) {
    for (std::size_t size = 0; size < message.size(); ++size) {
      EXPECT_EQ(resp_length(message.substr(0, size)), std::nullopt) << message << size;
    }
    EXPECT_EQ(resp_length(message + "+more"), message.size()) << message;
  }
}

TEST(Resp, ReadsRepliesAsTheModelMakesThem) {
  EXPECT_EQ(resp_reply("+OK\r\n"), redis::Reply::ok());
  EXPECT_EQ(resp_reply("-ERR no\r\n"), redis::Reply::error("ERR no"));
  EXPECT_EQ(resp_reply(":-7\r\n"), redis::Reply::integer(-7));
  EXPECT_EQ(resp_reply("$-1\r\n"), redis::Reply::nil());
  EXPECT_EQ(resp_reply("*2\r\n:-1\r\n$2\r\nab\r\n"),
            redis::Reply::array({redis::Reply::integer(-1), redis::Reply::bulk("ab")}));
}

TEST(Resp, ACommandComesBackAsItWasWritten) {
  const redis::Command command = redis::make_command("SET", "k", "two\r\nlines", "PX", 10000);
  EXPECT_EQ(resp_command(to_resp(command)), command);
  EXPECT_EQ(resp_command("*0\r\n"), redis::Command());
  EXPECT_EQ(resp_command("$3\r\nGET\r\n"), std::nullopt);
  EXPECT_EQ(resp_command("*1\r\n:1\r\n"), std::nullopt);
}

TEST(Resp, KnowsNewsOfAChannelFromAnAnswer) {
  EXPECT_TRUE(is_push(resp_reply("*3\r\n$7\r\nmessage\r\n$1\r\nc\r\n$1\r\n0\r\n")));
  EXPECT_FALSE(is_push(resp_reply("*3\r\n$9\r\nsubscribe\r\n$1\r\nc\r\n:1\r\n")));
}

TEST(Resp, TellsWhatOnlyRESP3HasAsRESP2Would) {
  const std::string inner =
      "~1\r\n#t\r\n,1.5\r\n(123\r\n=7\r\ntxt:abc\r\n_\r\n!5\r\nERR x\r\n$1\r\nz\r\n:7\r\n";
  const std::string map = "|1\r\n+ttl\r\n:9\r\n%4\r\n" + inner;
  EXPECT_EQ(resp_length(map + "+OK\r\n"), map.size());
  for (std::size_t size = 0; size < map.size(); ++size) {
    EXPECT_EQ(resp_length(map.substr(0, size)), std::nullopt) << size;
  }
  EXPECT_EQ(resp_reply(map),
            resp_reply("*8\r\n*1\r\n:1\r\n$3\r\n1.5\r\n$3\r\n123\r\n$3\r\nabc\r\n$-1\r\n-ERR x\r\n"
                       "$1\r\nz\r\n:7\r\n"));
  EXPECT_THROW(resp_length("|-1\r\n"), LiveError);
  EXPECT_THROW(resp_length("%9000000000000000000\r\n"), LiveError);
  EXPECT_EQ(resp_length("%-9000000000000000000\r\n"), 23U) << "nothing, as of an array";
}

TEST(Resp, RefusesWhatIsNotRedis) {
  EXPECT_THROW(resp_length("HTTP/1.1 400 Bad Request\r\n"), LiveError);
  EXPECT_THROW(resp_length("\r\n"), LiveError);
  EXPECT_THROW(resp_length("$x\r\n"), LiveError);
  EXPECT_THROW(resp_length("*2147483647\r\n"), LiveError);  // nobody waits for so many
  EXPECT_THROW(resp_length("$2147483647\r\n"), LiveError);
  std::string nested;
  for (int depth = 0; depth < 1000; ++depth) {
    nested += "*1\r\n";
  }
  EXPECT_THROW(resp_length(nested), LiveError);
}

}  // namespace resp_test
}  // namespace holdfast::live
