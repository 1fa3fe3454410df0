// A connection to Redis read message by message: what is asked, answered, pushed, and none of a lock's
// business.
#include "harness/stores/redis/wire/redis_wire.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/machine/process/live_error.h"

namespace holdfast::live {
namespace redis_wire_test {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::StartsWith;

class RedisWireTest : public ::testing::Test {
 protected:
  WireMessage say(Direction direction, const std::string& bytes) {
    const std::optional<WireMessage> message = wire.feed(direction, bytes);
    EXPECT_TRUE(message.has_value()) << bytes;
    EXPECT_EQ(message.value_or(WireMessage{}).length, bytes.size());
    return message.value_or(WireMessage{});
  }
  template <typename... Words>
  WireMessage ask(const Words&... words) {
    return say(Direction::to_server, to_resp(redis::make_command(words...)));
  }
  WireMessage answer(const std::string& bytes) { return say(Direction::to_client, bytes); }
  // As a server confirms one, or sends a message.
  static std::string about_channel(const std::string& word, const std::string& channel,
                                   const std::string& last) {
    return "*3\r\n" + bulk(word) + bulk(channel) + last;
  }
  static std::string bulk(const std::string& text) {
    return "$" + std::to_string(text.size()) + "\r\n" + text + "\r\n";
  }

  RedisWire wire;
};

TEST_F(RedisWireTest, AnswersBelongToRequestsInTheirOrder) {
  EXPECT_EQ(ask("SET", "k", "v").kind, MessageKind::request);
  EXPECT_EQ(ask("GET", "k").text, "GET k");
  const WireMessage first = answer("+OK\r\n");
  EXPECT_EQ(first.kind, MessageKind::answer);
  EXPECT_EQ(first.name, "SET");
  EXPECT_EQ(first.asked, "SET k v");
  EXPECT_EQ(first.text, "OK");
  EXPECT_EQ(answer("$1\r\nv\r\n").name, "GET");
  EXPECT_EQ(answer("+what nobody asked for\r\n").kind, MessageKind::noise);
}

TEST_F(RedisWireTest, NamesAreInCapitalsWhateverTheClientWrites) {
  EXPECT_EQ(ask("set", "k", "v").name, "SET");
  EXPECT_EQ(answer("+OK\r\n").name, "SET");
}

TEST_F(RedisWireTest, AHandshakeAndASignOfLifeAreNoiseAndSoAreTheirAnswers) {
  for (const char* word : {"HELLO", "auth", "Client", "PING", "info"}) {
    EXPECT_EQ(ask(word, "x").kind, MessageKind::noise) << word;
    ask("GET", "k");
    EXPECT_EQ(answer("+OK\r\n").kind, MessageKind::noise) << word;
    EXPECT_EQ(answer("$-1\r\n").name, "GET") << word;
  }
}

TEST_F(RedisWireTest, TheAnswerToTheGreetingIsForTheProxy) {
  RedisWire greeting({.password = "secret"});
  EXPECT_EQ(greeting.greeting(), "*2\r\n$4\r\nAUTH\r\n$6\r\nsecret\r\n");
  greeting.feed(Direction::to_server, to_resp(redis::make_command("GET", "k")));
  EXPECT_TRUE(greeting.feed(Direction::to_client, "+OK\r\n$-1\r\n")->is_for_the_proxy);
  const auto next = greeting.feed(Direction::to_client, "$-1\r\n");
  EXPECT_FALSE(next->is_for_the_proxy);
  EXPECT_EQ(next->name, "GET");
  EXPECT_EQ(wire.greeting(), "");
}

TEST_F(RedisWireTest, AMessageOfAChannelIsAPushWithItsPayload) {
  ask("SUBSCRIBE", "news");
  const WireMessage confirmed = answer(about_channel("subscribe", "news", ":1\r\n"));
  EXPECT_EQ(confirmed.kind, MessageKind::answer);
  EXPECT_EQ(confirmed.name, "SUBSCRIBE");
  ask("UNSUBSCRIBE", "news");
  const WireMessage push = answer(about_channel("message", "news", bulk("free again")));
  EXPECT_EQ(push.kind, MessageKind::push);
  EXPECT_EQ(push.name, "news");
  EXPECT_EQ(push.text, "free again");
  EXPECT_EQ(answer(about_channel("unsubscribe", "news", ":0\r\n")).name, "UNSUBSCRIBE");
}

TEST_F(RedisWireTest, AnAnswerThatLooksLikeAMessageIsOneOnlyToWhoSubscribed) {
  ask("LRANGE", "list", 0, -1);
  EXPECT_EQ(answer(about_channel("message", "news", bulk("old"))).kind, MessageKind::answer);
}

TEST_F(RedisWireTest, AConnectionThatIsResetHasSubscribedToNothing) {
  ask("SUBSCRIBE", "news");
  answer(about_channel("subscribe", "news", ":1\r\n"));
  ask("RESET");
  EXPECT_EQ(answer("+RESET\r\n").name, "RESET");
  ask("LRANGE", "list", 0, -1);
  EXPECT_EQ(answer(about_channel("message", "news", bulk("old"))).kind, MessageKind::answer);
}

TEST_F(RedisWireTest, EachChannelIsConfirmedAndTheFirstConfirmationIsTheAnswer) {
  ask("SUBSCRIBE", "one", "two");
  ask("PSUBSCRIBE", "t*");
  ask("UNSUBSCRIBE");
  EXPECT_EQ(answer(about_channel("subscribe", "one", ":1\r\n")).kind, MessageKind::answer);
  EXPECT_EQ(answer(about_channel("subscribe", "two", ":2\r\n")).kind, MessageKind::noise);
  EXPECT_EQ(answer(about_channel("psubscribe", "t*", ":3\r\n")).name, "PSUBSCRIBE");
  const WireMessage push = answer("*4\r\n" + bulk("pmessage") + bulk("t*") + bulk("two") + bulk("x"));
  EXPECT_EQ(push.kind, MessageKind::push);
  EXPECT_EQ(push.name, "two");
  EXPECT_EQ(push.text, "x");
}

TEST_F(RedisWireTest, LeavingAllChannelsIsConfirmedOnceForEachAndNotForThePatterns) {
  ask("SUBSCRIBE", "one", "two");
  ask("PSUBSCRIBE", "t*");
  ask("UNSUBSCRIBE");
  ask("PUNSUBSCRIBE");
  ask("UNSUBSCRIBE");
  ask("GET", "k");
  answer(about_channel("subscribe", "one", ":1\r\n"));
  answer(about_channel("subscribe", "two", ":2\r\n"));
  answer(about_channel("psubscribe", "t*", ":3\r\n"));
  EXPECT_EQ(answer(about_channel("unsubscribe", "one", ":2\r\n")).name, "UNSUBSCRIBE");
  EXPECT_EQ(answer(about_channel("unsubscribe", "two", ":1\r\n")).kind, MessageKind::noise);
  EXPECT_EQ(answer(about_channel("punsubscribe", "t*", ":0\r\n")).name, "PUNSUBSCRIBE");
  EXPECT_EQ(answer("*3\r\n" + bulk("unsubscribe") + "$-1\r\n:0\r\n").name, "UNSUBSCRIBE");
  EXPECT_EQ(answer("$1\r\nv\r\n").name, "GET");
}

// Refused, or queued in a transaction: there is one answer, however many channels were named.
TEST_F(RedisWireTest, ASubscriptionThatIsNotCarriedOutIsAnsweredOnce) {
  for (const char* said : {"-NOPERM not these channels\r\n", "+QUEUED\r\n"}) {
    ask("SUBSCRIBE", "one", "two", "three");
    ask("GET", "k");
    EXPECT_EQ(answer(said).name, "SUBSCRIBE") << said;
    EXPECT_EQ(answer("$-1\r\n").name, "GET") << said;
  }
}

TEST_F(RedisWireTest, ChannelsOfShardsAreCountedByThemselves) {
  ask("SUBSCRIBE", "one");
  ask("SSUBSCRIBE", "of", "shards");
  ask("SUNSUBSCRIBE");
  ask("UNSUBSCRIBE");
  ask("GET", "k");
  EXPECT_EQ(answer(about_channel("subscribe", "one", ":1\r\n")).name, "SUBSCRIBE");
  EXPECT_EQ(answer(about_channel("ssubscribe", "of", ":1\r\n")).name, "SSUBSCRIBE");
  EXPECT_EQ(answer(about_channel("ssubscribe", "shards", ":2\r\n")).kind, MessageKind::noise);
  const WireMessage push = answer(about_channel("smessage", "shards", bulk("x")));
  EXPECT_EQ(push.kind, MessageKind::push);
  EXPECT_EQ(push.name, "shards");
  EXPECT_EQ(answer(about_channel("sunsubscribe", "of", ":1\r\n")).name, "SUNSUBSCRIBE");
  EXPECT_EQ(answer(about_channel("sunsubscribe", "shards", ":0\r\n")).kind, MessageKind::noise);
  EXPECT_EQ(answer(about_channel("unsubscribe", "one", ":0\r\n")).name, "UNSUBSCRIBE");
  EXPECT_EQ(answer("$-1\r\n").name, "GET");
}

TEST_F(RedisWireTest, APushOfRESP3SaysThatItIsOne) {
  ask("HELLO", 3);
  EXPECT_EQ(answer("%1\r\n" + bulk("proto") + ":3\r\n").kind, MessageKind::noise);
  ask("SUBSCRIBE", "news");
  ask("GET", "k");
  EXPECT_EQ(answer(">3\r\n" + bulk("subscribe") + bulk("news") + ":1\r\n").name, "SUBSCRIBE");
  const WireMessage push = answer(">3\r\n" + bulk("message") + bulk("news") + bulk("free again"));
  EXPECT_EQ(push.kind, MessageKind::push);
  EXPECT_EQ(push.name, "news");
  EXPECT_EQ(push.text, "free again");
  EXPECT_EQ(answer(">2\r\n" + bulk("invalidate") + "_\r\n").name, "invalidate");
  EXPECT_EQ(answer("_\r\n").name, "GET") << "what was pushed in between is no answer";
}

TEST_F(RedisWireTest, AServerThatCannotWriteIsInTrouble) {
  ask("SET", "k", "v");
  EXPECT_THAT(answer("-MISCONF Errors writing to the AOF file\r\n").trouble,
              StartsWith("cannot write to its disk, is it full? It says: MISCONF"));
  ask("SET", "k", "v");
  EXPECT_THAT(answer("-ERR no\r\n").trouble, IsEmpty());
}

TEST_F(RedisWireTest, TellsTheWordsOfEachRequest) {
  std::vector<std::string> keys;
  RedisWire listening({.heard = [&](const redis::Command& command) { keys.push_back(command.at(1)); }});
  listening.feed(Direction::to_server, to_resp(redis::make_command("GET", "k")));
  listening.feed(Direction::to_client, "$-1\r\n");
  EXPECT_THAT(keys, ElementsAre("k"));
}

TEST_F(RedisWireTest, BytesMayComeOneByOne) {
  const std::string request = to_resp(redis::make_command("SET", "k", "two\r\nlines"));
  const std::string bytes = request + request;
  std::size_t found = 0;
  std::string inbox;
  for (const char byte : bytes) {
    inbox += byte;
    if (const auto message = wire.feed(Direction::to_server, inbox)) {
      EXPECT_EQ(message->length, request.size());
      EXPECT_EQ(message->name, "SET");
      inbox.clear();
      ++found;
    }
  }
  EXPECT_EQ(found, 2U);
}

TEST_F(RedisWireTest, BytesMayComeInAnyPieces) {
  std::string bytes;
  for (const char* value : {"", "v", "two\r\nlines", "and a rather long one behind it"}) {
    bytes += to_resp(redis::make_command("SET", "k", value)) + to_resp(redis::make_command("GET", "k"));
  }
  for (std::size_t first = 1; first < bytes.size(); ++first) {
    for (const std::size_t second : {first, (first + bytes.size()) / 2, bytes.size() - 1}) {
      RedisWire fresh;
      std::string inbox;
      std::string names;
      for (const auto& [begin, end] :
           {std::pair(std::size_t{0}, first), std::pair(first, second), std::pair(second, bytes.size())}) {
        inbox += bytes.substr(begin, end - begin);
        while (const auto message = fresh.feed(Direction::to_server, inbox)) {
          names += message->name + " ";
          inbox.erase(0, message->length);
        }
      }
      ASSERT_EQ(names, "SET GET SET GET SET GET SET GET ") << first << " " << second;
    }
  }
}

TEST_F(RedisWireTest, WhatIsNoCommandIsRefused) {
  for (const char* bytes : {"+OK\r\n", ":1\r\n", "*1\r\n:1\r\n", "*1\r\n*1\r\n$1\r\na\r\n", "GET k\r\n",
                            "*1000000000\r\n", "$3000000000\r\n"}) {
    RedisWire fresh;
    EXPECT_THROW(fresh.feed(Direction::to_server, bytes), LiveError) << bytes;
  }
  EXPECT_THROW(wire.feed(Direction::to_server, std::string(2 << 20, '+')), LiveError);
}

TEST_F(RedisWireTest, NothingIsAskedByAnEmptyCommand) {
  EXPECT_EQ(say(Direction::to_server, "*0\r\n").kind, MessageKind::noise);
  ask("GET", "k");
  EXPECT_EQ(answer("$-1\r\n").name, "GET");
}

TEST_F(RedisWireTest, RemembersSoManyUnansweredRequestsAndNoMore) {
  const std::string request = to_resp(redis::make_command("GET", "k"));
  EXPECT_THROW(
      {
        for (int count = 0; count < 100'000; ++count) {
          wire.feed(Direction::to_server, request);
        }
      },
      LiveError);
}

}  // namespace redis_wire_test
}  // namespace holdfast::live
