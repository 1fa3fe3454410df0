// For tests: what a server sees of a sequence, written down as the recorder of the real library does it.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "harness/stores/redis/client.h"
#include "harness/stores/redis/cluster.h"

namespace holdfast::redisson {

using Json = nlohmann::json;

// A key, when it runs out (milliseconds on the server's clock, -1: never), and the scores of a sorted set.
struct KeptValue {
  std::string text;
  std::int64_t expiry_ms = -1;
  std::vector<double> scores;
};
using Kept = std::map<std::string, KeptValue>;

class TestRecord {
 public:
  // `nodes`: the primaries, in the order of the servers.
  TestRecord(const Kernel& kernel, const redis::Cluster& cluster, std::vector<redis::Node*> nodes,
             std::size_t members)
      : kernel_(kernel),
        cluster_(cluster),
        nodes_(std::move(nodes)),
        members_(members),
        seen_(nodes_.size()) {}

  void returned(const std::string& who, const std::string& what, const std::string& result) {
    calls_.push_back({{"at", now_ms()}, {"who", who}, {"call", what}, {"result", result}});
  }
  void answered(const std::string& who, std::size_t server, const redis::Command& command,
                const redis::Answer& answer) {
    Json line = {{"at", now_ms()}, {"who", who}, {"server", server + 1}};
    std::string words = "EVAL";
    if (command.front() != "EVAL") {
      words = fmt::format("{}", fmt::join(command, " "));
    }
    line["command"] = words;
    line["reply"] = answer.failed() ? std::string("lost") : text_of(answer.reply);
    line["did"] = changes(server);
    note(who, std::move(line));
  }
  void subscribed(const std::string& who, std::size_t server, std::string_view command,
                  std::string_view channel) {
    note(who, {{"at", now_ms()},
               {"who", who},
               {"server", server + 1},
               {"command", fmt::format("{} {}", command, channel)}});
  }
  redis::Reply ask(std::size_t server, redis::Command command) const {
    redis::Node::Outputs unheard;
    constexpr ConnectionId of_the_test = 60'000;
    return *nodes_[server]->submit({std::move(command), of_the_test}, clocks(server), unheard);
  }
  Kept look(std::size_t server) const {
    Kept kept;
    for (const redis::Reply& key : ask(server, redis::make_command("KEYS", "*")).elements) {
      KeptValue value = value_of(server, key.text);
      const std::int64_t left = ask(server, redis::make_command("PTTL", key.text)).number;
      if (left != -2) {
        value.expiry_ms = left < 0 ? -1 : to_milliseconds(clocks(server).wall) + left;
        kept[key.text] = std::move(value);
      }
    }
    return kept;
  }
  void look_again(std::size_t server) { seen_[server] = look(server); }

  const Json& calls() const { return calls_; }
  const Json& commands() const { return commands_; }

 private:
  static constexpr std::int64_t same_time_ms = 60;
  // Who asks the same again this soon, and is told the same, asks in a loop: written once.
  static constexpr std::int64_t loop_ms = 100;

  std::int64_t now_ms() const { return to_milliseconds(kernel_.now()); }
  NodeClocks clocks(std::size_t server) const { return cluster_.clocks(server * members_); }

  void note(const std::string& who, Json line) {
    Json said = line;
    said.erase("at");
    auto& [before_ms, before] = last_[who];
    const bool again =
        said == before && now_ms() - before_ms < loop_ms && said.contains("did") && said["did"].empty();
    before_ms = now_ms();
    before = std::move(said);
    if (!again) {
      commands_.push_back(std::move(line));
    }
  }

  static std::string text_of(const redis::Reply& reply) {
    switch (reply.kind) {
      case redis::Reply::Kind::nil:
        return "nil";
      case redis::Reply::Kind::integer:
        return std::to_string(reply.number);
      case redis::Reply::Kind::array: {
        std::vector<std::string> all;
        std::ranges::transform(reply.elements, std::back_inserter(all), text_of);
        return fmt::format("[{}]", fmt::join(all, ", "));
      }
      case redis::Reply::Kind::error:
        return "error " + reply.text.substr(0, reply.text.find(' '));
      default:
        return reply.text;
    }
  }

  KeptValue value_of(std::size_t server, const std::string& key) const {
    const std::string type = ask(server, redis::make_command("TYPE", key)).text;
    KeptValue value;
    value.text = type;
    const auto add = [&](const std::string& word) { value.text += " " + word; };
    if (type == "string") {
      add(ask(server, redis::make_command("GET", key)).text);
    } else if (type == "list") {
      std::ranges::for_each(ask(server, redis::make_command("LRANGE", key, 0, -1)).elements, add,
                            &redis::Reply::text);
    } else if (type == "hash") {
      const std::vector<redis::Reply> pairs = ask(server, redis::make_command("HGETALL", key)).elements;
      for (std::size_t at = 0; at + 1 < pairs.size(); at += 2) {
        add(pairs[at].text + "=" + pairs[at + 1].text);
      }
    } else if (type == "zset") {
      const std::vector<redis::Reply> pairs =
          ask(server, redis::make_command("ZRANGE", key, 0, -1, "WITHSCORES")).elements;
      for (std::size_t at = 0; at + 1 < pairs.size(); at += 2) {
        add(pairs[at].text);
        value.scores.push_back(std::stod(pairs[at + 1].text));
      }
    }
    return value;
  }

  Json changes(std::size_t server) {
    const Kept before = std::exchange(seen_[server], look(server));
    const Kept& after = seen_[server];
    const std::int64_t now = to_milliseconds(clocks(server).wall);
    Json changes = Json::array();
    for (const auto& [key, was] : before) {
      // A lease that ended is nobody's doing.
      if (!after.contains(key) && (was.expiry_ms < 0 || was.expiry_ms > now + same_time_ms)) {
        changes.push_back({{"key", key}, {"is", "gone"}});
      }
    }
    for (const auto& [key, is] : after) {
      const auto was = before.find(key);
      if (was != before.end() && same(was->second, is)) {
        continue;
      }
      Json change = {{"key", key}, {"is", is.text}};
      if (is.expiry_ms >= 0) {
        change["ttl"] = is.expiry_ms - now;
      }
      for (const double score : is.scores) {
        change["due"].push_back(static_cast<std::int64_t>(score) - now);
      }
      changes.push_back(std::move(change));
    }
    return changes;
  }
  static bool same(const KeptValue& was, const KeptValue& is) {
    const auto close = [](double one, double other) { return std::abs(one - other) <= same_time_ms; };
    return was.text == is.text &&
           close(static_cast<double>(was.expiry_ms), static_cast<double>(is.expiry_ms)) &&
           std::ranges::equal(was.scores, is.scores, close);
  }

  const Kernel& kernel_;
  const redis::Cluster& cluster_;
  std::vector<redis::Node*> nodes_;
  std::size_t members_;  // of a server
  std::vector<Kept> seen_;
  std::map<std::string, std::pair<std::int64_t, Json>> last_;
  Json calls_ = Json::array();
  Json commands_ = Json::array();
};

// A thread's connection to a server, on which everything is written down.
class RecordingClient final : public redis::Client {
 public:
  RecordingClient(std::unique_ptr<StoreClient> inner, std::string who, std::size_t server, TestRecord& record)
      : owned_(std::move(inner)),
        inner_(static_cast<redis::Client&>(*owned_)),
        who_(std::move(who)),
        server_(server),
        record_(record) {}

  Task<redis::Answer> execute(redis::Command command) override {
    redis::Answer answer = co_await inner_.execute(command);
    record_.answered(who_, server_, command, answer);
    co_return answer;
  }
  Task<redis::Answer> execute_within(redis::Command command, Duration timeout) override {
    redis::Answer answer = co_await inner_.execute_within(command, timeout);
    record_.answered(who_, server_, command, answer);
    co_return answer;
  }
  Task<redis::Answer> subscribe(std::string channel, redis::Mailbox& mailbox) override {
    record_.subscribed(who_, server_, "SUBSCRIBE", channel);
    return inner_.subscribe(std::move(channel), mailbox);
  }
  Task<redis::Answer> unsubscribe(std::string channel, redis::Mailbox& mailbox) override {
    record_.subscribed(who_, server_, "UNSUBSCRIBE", channel);
    return inner_.unsubscribe(std::move(channel), mailbox);
  }
  Task<std::int64_t> replicas() override { return inner_.replicas(); }
  void forget(const redis::Mailbox& mailbox) noexcept override { inner_.forget(mailbox); }

 private:
  std::unique_ptr<StoreClient> owned_;
  redis::Client& inner_;
  std::string who_;
  std::size_t server_;
  TestRecord& record_;
};

}  // namespace holdfast::redisson
