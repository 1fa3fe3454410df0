// The model against the real server: random commands, scripts included, with the clock moved between them.
//
// HOLDFAST_WARP_COMMANDS chooses how many.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "harness/kernel/test_volume.h"
#include "harness/stores/redis/model/model_node.h"
#include "harness/stores/redis/server/real_node.h"

namespace holdfast::live {
namespace warp_model_test {

std::size_t commands_wanted() {
  return how_many({.usual = 20'000, .thorough = 60'000, .sanitized = 3'000}, "HOLDFAST_WARP_COMMANDS");
}

struct Step {
  std::int64_t move_us = 0;  // the clock, before
  ConnectionId connection = 1;
  redis::Command command;
};

std::ostream& operator<<(std::ostream& stream, const Step& step) {
  stream << (step.move_us >= 0 ? "+" : "") << step.move_us << "us " << step.connection << "> ";
  for (const std::string& word : step.command) {
    stream << '"' << word << "\" ";
  }
  return stream;
}

rc::Gen<std::string> any_of(const std::vector<std::string>& words) {
  return rc::gen::elementOf(words);
}

const std::vector<std::string>& keys() {
  static const std::vector<std::string> all = {"lock", "hash", "list", "queue", "{lock}:n"};
  return all;
}

const std::vector<std::string>& values() {
  static const std::vector<std::string> all = {"a", "b", "1", "-7", "30000", "1.5", "", "c1:1", "nan"};
  return all;
}

// Times that matter for leases, and some that are wrong.
const std::vector<std::string>& times() {
  static const std::vector<std::string> all = {"1", "10", "1000", "30000",
                                               "0", "-1", "x",    "9223372036854775807"};
  return all;
}

const std::vector<std::string>& scripts() {
  static const std::vector<std::string> all = {
      "if redis.call('get',KEYS[1]) == ARGV[1] then return redis.call('del',KEYS[1]) else return 0 end",
      "if redis.call('setnx',KEYS[1],ARGV[1]) == 1 then redis.call('pexpire',KEYS[1],ARGV[2]) end",
      "redis.call('hincrby',KEYS[1],ARGV[1],1) return redis.call('hgetall',KEYS[1])",
      "return redis.pcall('hset',KEYS[1],ARGV[1])",
      "return redis.call('pttl',KEYS[1])",
      "local t = redis.call('time') return t",
      "return {1,2.7,'x',false,true,{3}}",
      "return redis.error_reply('BUSY ' .. ARGV[1])",
      "return redis.status_reply(ARGV[1])",
      "redis.call('publish',KEYS[1],ARGV[1]) return redis.call('incr',KEYS[2])",
      "return redis.call('zadd',KEYS[1],ARGV[2],ARGV[1])",
      "return tonumber(ARGV[1])",
      "return redis.call('nonsense')",
      "return unknown",
      "return #ARGV + #KEYS",
  };
  return all;
}

// A template: K key, V value, T time, N a small number; anything else stands for itself.
const std::vector<std::vector<std::string>>& templates() {
  static const std::vector<std::vector<std::string>> all = {
      {"SET", "K", "V"},
      {"SET", "K", "V", "NX", "PX", "T"},
      {"SET", "K", "V", "XX", "GET"},
      {"SET", "K", "V", "NX", "EX", "T"},
      {"SET", "K", "V", "KEEPTTL"},
      {"SET", "K", "V", "PX", "T", "EX", "T"},
      {"SETNX", "K", "V"},
      {"SETEX", "K", "T", "V"},
      {"PSETEX", "K", "T", "V"},
      {"GETSET", "K", "V"},
      {"GET", "K"},
      {"DEL", "K"},
      {"DEL", "K", "K"},
      {"EXISTS", "K"},
      {"EXPIRE", "K", "T"},
      {"PEXPIRE", "K", "T"},
      {"PEXPIRE", "K", "T", "GT"},
      {"PTTL", "K"},
      {"TTL", "K"},
      {"PERSIST", "K"},
      {"TYPE", "K"},
      {"INCR", "K"},
      {"DECR", "K"},
      {"INCRBY", "K", "V"},
      {"HSET", "K", "V", "V"},
      {"HSETNX", "K", "V", "V"},
      {"HGET", "K", "V"},
      {"HDEL", "K", "V"},
      {"HEXISTS", "K", "V"},
      {"HINCRBY", "K", "V", "N"},
      {"HGETALL", "K"},
      {"HLEN", "K"},
      {"RPUSH", "K", "V"},
      {"LPUSH", "K", "V", "V"},
      {"LPOP", "K"},
      {"RPOP", "K"},
      {"LRANGE", "K", "N", "N"},
      {"LINDEX", "K", "N"},
      {"LREM", "K", "N", "V"},
      {"LLEN", "K"},
      {"ZADD", "K", "N", "V"},
      {"ZADD", "K", "V", "V"},
      {"ZRANGE", "K", "N", "N"},
      {"ZRANGE", "K", "N", "N", "WITHSCORES"},
      {"ZREM", "K", "V"},
      {"ZSCORE", "K", "V"},
      {"ZCARD", "K"},
      {"ZRANK", "K", "V"},
      {"ZRANGEBYSCORE", "K", "-inf", "N"},
      {"ZREMRANGEBYSCORE", "K", "0", "N"},
      {"TIME"},
      {"EVAL", "S", "1", "K", "V", "T"},
      {"EVAL", "S", "2", "K", "K", "V", "T"},
      {"EVAL", "S", "3", "K"},
      {"EVAL", "S", "x", "K"},
      {"SUBSCRIBE", "K"},
      {"UNSUBSCRIBE", "K"},
      {"PUBLISH", "K", "V"},
      {"MULTI"},
      {"EXEC"},
      {"DISCARD"},
      {"WATCH", "K"},
      {"UNWATCH"},
      {"GET"},
      {"SET", "K"},
      {"HSET", "K", "V"},
      {"NONSENSE", "K"},
      {"PING"},
      {"WAIT", "N", "T"},
  };
  return all;
}

rc::Gen<std::string> word_for(const std::string& place) {
  if (place == "K") return any_of(keys());
  if (place == "V") return any_of(values());
  if (place == "T") return any_of(times());
  if (place == "S") return any_of(scripts());
  if (place == "N") {
    return rc::gen::map(rc::gen::inRange(-3, 6), [](int number) { return std::to_string(number); });
  }
  return rc::gen::just(place);
}

rc::Gen<Step> any_step() {
  return rc::gen::exec([] {
    Step step;
    const auto& form = templates()[*rc::gen::inRange<std::size_t>(0, templates().size())];
    for (const std::string& place : form) {
      step.command.push_back(*word_for(place));
    }
    step.connection = *rc::gen::inRange<ConnectionId>(1, 4);
    step.move_us = *rc::gen::weightedElement<std::int64_t>(
        {{6, 0}, {4, 400}, {3, 1'000}, {3, 999'000}, {2, 30'000'000}, {1, -5'000'000}, {1, 1'700}});
    return step;
  });
}

std::string said_by(redis::Node& node, const redis::Request& request, std::int64_t now_us) {
  redis::Node::Outputs outputs;
  const auto reply = node.submit(request, {std::chrono::microseconds(now_us), 0ns}, outputs);
  std::string text = reply ? redis::to_text(*reply) : "waits";
  for (const redis::Node::Output& output : outputs) {
    if (const auto* const pushed = std::get_if<redis::Node::Pushed>(&output)) {
      text += " | to " + std::to_string(pushed->connection) + ": " + pushed->news.channel + " " +
              pushed->news.payload;
    } else if (const auto* const answered = std::get_if<redis::Node::Answered>(&output)) {
      text += " | " + std::to_string(answered->connection) + " is answered " + to_text(answered->answer);
    }
  }
  return text;
}

TEST(WarpModel, AnswersAsTheServerDoes) {
  constexpr std::size_t at_once = 60;
  RealNode server(RealNodeOptions{});
  std::size_t compared = 0;
  rc::detail::TestParams parameters = rc::detail::configuration().testParams;
  if (std::getenv("RC_PARAMS") == nullptr) {
    parameters.seed = 1;
  }
  parameters.maxSuccess = static_cast<int>(commands_wanted() / at_once);
  const auto result = rc::detail::checkTestable(
      [&] {
        const auto steps = *rc::gen::container<std::vector<Step>>(at_once, any_step());
        redis::ModelNode model;
        server.begin_run();
        std::int64_t now_us = 1'700'000'000'000'000;
        for (const Step& step : steps) {
          now_us += step.move_us;
          const redis::Request request{step.command, step.connection};
          RC_ASSERT(said_by(model, request, now_us) == said_by(server, request, now_us));
          ++compared;
        }
      },
      rc::detail::TestMetadata{}, parameters);
  std::ostringstream message;
  rc::detail::printResultMessage(result, message);
  EXPECT_TRUE(result.is<rc::detail::SuccessResult>()) << message.str();
  std::printf("%zu commands agree\n", compared);
}

}  // namespace warp_model_test
}  // namespace holdfast::live
