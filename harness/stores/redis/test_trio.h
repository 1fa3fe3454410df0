// For tests: a primary and its two replicas, models or real servers, with what is under way between them; and
// what may happen to them, drawn at random.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "harness/stores/redis/cluster.h"

namespace holdfast::redis {
namespace test_trio {

inline constexpr Topology two_replicas{.servers = 1, .replicas = 2};
inline constexpr std::size_t size = 3;  // a primary and its replicas

// A primary and its replicas, models or real ones, with what is under way between them.
class Trio {
 public:
  Trio(NodeMaker& maker, AppendOnly append_only) {
    Topology topology = two_replicas;
    topology.append_only = append_only;
    for (std::size_t place = 0; place < size; ++place) {
      nodes_[place] = &maker.make(place, topology);
    }
    for (std::size_t place = 0; place < size; ++place) {
      nodes_[place]->join(nodes_, place);
    }
    for (std::size_t place = 1; place < size; ++place) {
      nodes_[0]->add_replica(place);
      nodes_[place]->follow(0, clocks());
    }
  }

  // The others are its replicas, some of which may be dead.
  std::size_t primary() const { return primary_; }
  std::size_t replica(std::size_t number) const { return (primary_ + number) % size; }

  void move(Duration by) { wall_ += by; }
  // One connection at a time may say something behind what is not answered. (Redis carries out what several
  // have said there in an order of its own.)
  std::string say(const Command& command, ConnectionId connection) {
    const bool is_another_in_a_hurry = std::ranges::any_of(
        unanswered_, [&](const auto& each) { return each.first != connection && each.second > 1; });
    if (unanswered_.contains(connection) && is_another_in_a_hurry) {
      return "not said";
    }
    return say_to(primary_, command, connection);
  }
  // All in one step, so that a transaction ends where it began: what follows is not queued in it.
  std::string say_in_turn(const std::vector<Command>& commands, ConnectionId connection) {
    std::string text;
    for (const Command& command : commands) {
      text += (text.empty() ? "" : "; ") + say(command, connection);
    }
    return text;
  }
  // A replica is asked by a client of its own.
  std::string say_to_replica(std::size_t replica, const Command& command) {
    constexpr ConnectionId its_client = 9;
    return dead_.contains(replica) ? "dead" : say_to(replica, command, its_client);
  }
  std::string close(ConnectionId connection) {
    Node::Outputs outputs;
    nodes_[primary_]->close(connection, clocks(), outputs);
    unanswered_.erase(connection);
    return "closed " + std::to_string(connection) + note(primary_, outputs);
  }
  // The oldest part on its way to the member, if there is one; or the one behind it, which overtakes.
  std::string deliver(std::size_t to, std::size_t behind = 0) {
    if (under_way_[to].size() <= behind || dead_.contains(to)) {
      return "nothing";
    }
    const auto place = under_way_[to].begin() + static_cast<std::ptrdiff_t>(behind);
    const auto [from, part] = *place;
    under_way_[to].erase(place);
    Node::Outputs outputs;
    nodes_[to]->hear(from, part, clocks(), outputs);
    return (part.is_of_replica ? "hears replica " + std::to_string(from)
                               : std::to_string(to) + " hears the stream") +
           note(to, outputs);
  }
  // The oldest part is lost on its way, and the connection lives on.
  std::string drop(std::size_t to) {
    if (under_way_[to].empty()) {
      return "nothing";
    }
    under_way_[to].pop_front();
    return "what " + std::to_string(to) + " was told is lost";
  }
  // The connection between the primary and this replica breaks, and with it what is under way.
  std::string lose(std::size_t replica) {
    if (dead_.contains(replica)) {
      return "dead";
    }
    under_way_[replica].clear();
    std::erase_if(under_way_[primary_], [&](const auto& each) { return each.first == replica; });
    std::string text = "lost " + std::to_string(replica);
    for (const auto& [at, other] : {std::pair(primary_, replica), std::pair(replica, primary_)}) {
      Node::Outputs outputs;
      nodes_[at]->lose(other, clocks(), outputs);
      text += note(at, outputs);
    }
    return text;
  }
  // The server dies and comes back with what it had kept; who was connected to it learns that.
  std::string restart(std::size_t place) {
    if (dead_.contains(place)) {
      return "dead";
    }
    const std::string text = "restarted " + std::to_string(place) + crash(place);
    nodes_[place]->restart(clocks());
    return text;
  }
  // As Cluster does it: of those that live, the one that has received most takes over.
  std::string failover() {
    std::vector<std::size_t> replicas = nodes_[primary_]->replicas();
    std::erase_if(replicas, [&](std::size_t replica) { return dead_.contains(replica); });
    if (replicas.empty()) {
      return "nobody takes over";
    }
    const std::size_t old_primary = primary_;
    primary_ = *std::ranges::max_element(
        replicas, {}, [&](std::size_t replica) { return nodes_[replica]->replication_offset(); });
    for (const std::size_t replica : replicas) {
      if (replica != primary_) {
        nodes_[primary_]->add_replica(replica);
      }
    }
    nodes_[primary_]->promote(clocks());
    dead_.insert(old_primary);
    unanswered_.clear();
    return std::to_string(primary_) + " takes over" + crash(old_primary);
  }
  // Time moves to the last millisecond before the primary wants to be called.
  std::string almost_due() {
    if (const auto due = nodes_[primary_]->next_due(); due && due->reading - 1ms > wall_) {
      wall_ = due->reading - 1ms;
      return "almost due";
    }
    return "not due";
  }
  // Time moves to when the primary wants to be called, at the latest.
  std::string advance(Duration by) {
    const auto due = nodes_[primary_]->next_due();
    if (!due) {
      move(by);
      return "not due";
    }
    wall_ = due->reading;
    Node::Outputs outputs;
    nodes_[primary_]->advance(clocks(), outputs);
    return "due at " + std::to_string(wall_.count()) + note(primary_, outputs);
  }

 private:
  NodeClocks clocks() const { return {wall_, 0ns}; }
  std::string say_to(std::size_t place, const Command& command, ConnectionId connection) {
    Node::Outputs outputs;
    const auto reply = nodes_[place]->submit({command, connection}, clocks(), outputs);
    if (!reply) {
      ++unanswered_[connection];
    }
    const std::string later = note(place, outputs);
    return std::to_string(connection) + " says " + to_text(Request{command, connection}) + ": " +
           (reply ? to_text(*reply) : "waits") + later;
  }
  std::string crash(std::size_t place) {
    std::string text;
    nodes_[place]->crash(clocks());
    under_way_[place].clear();
    for (std::size_t other = 0; other < size; ++other) {
      if (other == place || dead_.contains(other)) {
        continue;
      }
      std::erase_if(under_way_[other], [&](const auto& each) { return each.first == place; });
      Node::Outputs outputs;
      nodes_[other]->lose(place, clocks(), outputs);
      text += note(other, outputs);
    }
    if (place == primary_) {
      unanswered_.clear();
    }
    return text;
  }
  std::string note(std::size_t from, const Node::Outputs& outputs) {
    std::string text;
    for (const Node::Output& output : outputs) {
      if (const auto* const answered = std::get_if<Node::Answered>(&output)) {
        text += " | " + std::to_string(answered->connection) + " is answered " + to_text(answered->answer);
        if (--unanswered_.at(answered->connection) == 0) {
          unanswered_.erase(answered->connection);
        }
      } else if (const auto* const sent = std::get_if<Node::Sent>(&output)) {
        under_way_[sent->member].emplace_back(from, sent->part);
        text += " | tells " + std::to_string(sent->member);
      } else if (const auto* const pushed = std::get_if<Node::Pushed>(&output)) {
        text += " | " + std::to_string(pushed->connection) + " hears " + pushed->news.payload;
      }
    }
    return text;
  }

  std::array<Node*, size> nodes_{};
  std::array<std::deque<std::pair<std::size_t, StreamPart>>, size> under_way_;
  std::map<ConnectionId, std::size_t> unanswered_;
  std::set<std::size_t> dead_;
  std::size_t primary_ = 0;
  Duration wall_ = std::chrono::seconds(1'767'225'600);
};

// What happens next is drawn from these; the same to both.
class Draws {
 public:
  explicit Draws(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15ULL + 1) {}
  std::uint64_t below(std::uint64_t options) {
    state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
    return (state_ >> 33U) % options;
  }
  // Past all that one step draws, whatever that was.
  void skip_a_step() {
    for (int skipped = 0; skipped < 7; ++skipped) {
      below(2);
    }
  }

 private:
  std::uint64_t state_;
};

// Most parts arrive in the order in which they were sent; a link may also lose one, or let it be overtaken.
inline std::string arrive(Trio& trio, std::size_t member, Draws draws) {
  switch (draws.below(10)) {
    case 0:
      return trio.drop(member);
    case 1:
      return trio.deliver(member, 1);
    default:
      return trio.deliver(member);
  }
}

inline Command of_one_who_publishes_or_scripts(std::uint64_t which) {
  switch (which) {
    case 0:  // a script must not wait either
      return make_command("EVAL", "return redis.call('wait', 1, 100)", 0);
    case 1:
      return make_command("EVAL", "return redis.call('set', 'k', 'of a script')", 0);
    case 2:
      return make_command("EVAL", "redis.call('set', 'k', 's') return redis.call('publish', 'channel', 'x')",
                          0);
    case 3:
      return make_command("EVAL", "return redis.call('publish', 'channel', 'x')", 0);
    default:  // to nobody, but replicas are told
      return make_command("PUBLISH", "channel", "x");
  }
}

inline std::string step(Trio& trio, Draws draws) {
  constexpr ConnectionId subscriber = 7;
  const auto connection = static_cast<ConnectionId>(1 + draws.below(3));
  const std::size_t replica = trio.replica(1 + draws.below(size - 1));
  switch (draws.below(20)) {
    case 0:
    case 1:
    case 2:
      return trio.say(make_command("SET", "k", draws.below(9)), connection);
    case 3:
    case 4:
    case 5:
      return trio.say(make_command("WAIT", draws.below(4), draws.below(3) * 100), connection);
    case 6:
      return draws.below(4) == 0 ? trio.say(make_command("SUBSCRIBE", "news"), subscriber)
                                 : trio.say(make_command("GET", "k"), connection);
    case 7:
      return trio.close(connection);
    case 8:
    case 9:
    case 10:
      return arrive(trio, replica, draws);
    case 11:
    case 12:
    case 13:
      return arrive(trio, trio.primary(), draws);
    case 14:
      switch (draws.below(8)) {
        case 0:
        case 1:
          return trio.lose(replica);
        case 2:
          return trio.restart(draws.below(2) == 0 ? trio.primary() : replica);
        case 3:
          return trio.failover();
        case 4:
        case 5:
          return trio.almost_due();
        default:
          return trio.deliver(replica);
      }
    case 15:
      return trio.say_in_turn({make_command("WAIT", draws.below(4), draws.below(3) * 100),
                               make_command("SET", "k", draws.below(9)),
                               make_command("WAIT", draws.below(4), draws.below(3) * 100)},
                              connection);
    case 16:
      return trio.say_to_replica(replica, draws.below(3) == 0 ? make_command("PUBLISH", "channel", "x")
                                                              : make_command("WAIT", draws.below(2), 100));
    case 17:  // in a transaction WAIT does not wait
      return trio.say_in_turn(
          {make_command("MULTI"), make_command("SET", "k", draws.below(9)),
           make_command("WAIT", draws.below(3), draws.below(2) * 100), make_command("EXEC")},
          connection);
    case 18:
      return trio.say(of_one_who_publishes_or_scripts(draws.below(5)), connection);
    case 19:
      trio.move(std::chrono::milliseconds(static_cast<std::int64_t>(draws.below(500)) - 250));
      return "the clocks jumped";
    default:
      return trio.advance(std::chrono::microseconds(draws.below(70'000)));
  }
}

}  // namespace test_trio
}  // namespace holdfast::redis
