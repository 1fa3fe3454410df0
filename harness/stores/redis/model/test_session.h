// For tests: talks to a model the way a person types, on a clock that only the test moves.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "harness/stores/redis/model/model_node.h"

namespace holdfast::redis {

inline NodeClocks clocks_at(std::int64_t wall_us) {
  return {std::chrono::microseconds(wall_us), 0ns};
}

class TestSession {
 public:
  explicit TestSession(ModelOptions options = {}) : redis(options) {}

  // The reply as text. Words are separated by single blanks.
  std::string ask(std::string_view line, ConnectionId connection = 1) {
    Command words;
    std::istringstream in{std::string(line)};
    for (std::string word; std::getline(in, word, ' ');) words.push_back(word);
    return ask(words, connection);
  }
  std::string ask(const Command& words, ConnectionId connection = 1) {
    const std::optional<Reply> reply = submit(words, connection);
    return reply ? to_text(*reply) : "(waits)";
  }
  std::optional<Reply> submit(const Command& words, ConnectionId connection = 1) {
    Node::Outputs outputs;
    std::optional<Reply> reply = redis.submit({words, connection}, clocks(), outputs);
    hear(outputs);
    return reply;
  }
  // What it says, besides answers that it gives at once.
  void hear(const Node::Outputs& outputs) {
    for (const Node::Output& output : outputs) {
      if (const auto* const pushed = std::get_if<Node::Pushed>(&output)) {
        pushes.push_back({pushed->connection, pushed->news.channel, pushed->news.payload});
      } else if (const auto* const answered = std::get_if<Node::Answered>(&output)) {
        later.push_back(std::to_string(answered->connection) + "> " + to_text(answered->answer));
      }
    }
  }
  void close(ConnectionId connection) {
    Node::Outputs outputs;
    redis.close(connection, clocks(), outputs);
    hear(outputs);
  }
  NodeClocks clocks() const { return clocks_at(now_us); }
  void advance_ms(std::int64_t milliseconds) { now_us += milliseconds * 1000; }

  ModelNode redis;
  std::int64_t now_us = 1'700'000'000'000'000;
  std::vector<Push> pushes;
  std::vector<std::string> later;  // answers that did not come at once: "1> 2"
};

// One line of a conversation. "+30" lets 30 ms pass; "2> GET a" speaks on connection 2.
struct Exchange {
  std::string_view line;
  std::string_view reply;
};

// The replies in these tables were given by redis-server 7.0.15 to the same lines.
inline void expect_conversation(std::initializer_list<Exchange> exchanges) {
  TestSession session;
  for (const Exchange& exchange : exchanges) {
    if (exchange.line.starts_with('+')) {
      session.advance_ms(std::stoll(std::string(exchange.line.substr(1))));
    } else if (exchange.line.starts_with("2> ")) {
      EXPECT_EQ(session.ask(exchange.line.substr(3), 2), exchange.reply) << exchange.line;
    } else {
      EXPECT_EQ(session.ask(exchange.line), exchange.reply) << exchange.line;
    }
  }
}

// Runs each script with two keys and three arguments on a server that holds a list, a string and a
// hash, and compares with what redis-server 7.0.15 answered. Data is new for each script, the server
// is not.
struct ScriptCase {
  std::string_view script;
  std::string_view reply;
};

inline void expect_scripts(std::initializer_list<ScriptCase> cases) {
  TestSession session;
  for (const ScriptCase& each : cases) {
    session.ask("FLUSHALL");
    session.ask("RPUSH list a b");
    session.ask("SET s v");
    session.ask("HSET h f 1 g 2");
    EXPECT_EQ(session.ask(make_command("EVAL", each.script, 2, "k1", "k2", "a1", "a2", 3)), each.reply)
        << each.script;
  }
}

}  // namespace holdfast::redis
