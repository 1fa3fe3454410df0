// The model against real servers that replicate: random commands, WAIT above all, while what primary and
// replica tell each other is delivered sooner or later, links break, servers die and clocks move.
//
// HOLDFAST_WARP_WAITS chooses how many conversations.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "harness/kernel/test_volume.h"
#include "harness/stores/redis/model/model_nodes.h"
#include "harness/stores/redis/server/real_nodes.h"

namespace holdfast::live {
namespace warp_wait_test {

constexpr redis::Topology two_replicas{.servers = 1, .replicas = 2};
constexpr std::size_t size = 3;  // a primary and its replicas

// A primary and its replicas, models or real ones, with what is under way between them.
class Trio {
 public:
  Trio(redis::NodeMaker& maker, redis::AppendOnly append_only) {
    redis::Topology topology = two_replicas;
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
  // One connection at a time may say something behind what is not answered, and nothing that waits in its
  // turn. (Redis carries out what several have said there in an order of its own.)
  std::string say(const redis::Command& command, ConnectionId connection) {
    const bool is_another_in_a_hurry = std::ranges::any_of(
        unanswered_, [&](const auto& each) { return each.first != connection && each.second > 1; });
    if (unanswered_.contains(connection) && (is_another_in_a_hurry || command.front() == "WAIT")) {
      return "not said";
    }
    return say_to(primary_, command, connection);
  }
  // All in one step, so that a transaction ends where it began: what follows is not queued in it.
  std::string say_in_turn(const std::vector<redis::Command>& commands, ConnectionId connection) {
    std::string text;
    for (const redis::Command& command : commands) {
      text += (text.empty() ? "" : "; ") + say(command, connection);
    }
    return text;
  }
  // A replica is asked by a client of its own.
  std::string say_to_replica(std::size_t replica, const redis::Command& command) {
    constexpr ConnectionId its_client = 9;
    return dead_.contains(replica) ? "dead" : say_to(replica, command, its_client);
  }
  std::string close(ConnectionId connection) {
    redis::Node::Outputs outputs;
    nodes_[primary_]->close(connection, clocks(), outputs);
    unanswered_.erase(connection);
    return "closed " + std::to_string(connection) + note(primary_, outputs);
  }
  // The oldest part on its way to the member, if there is one.
  std::string deliver(std::size_t to) {
    if (under_way_[to].empty() || dead_.contains(to)) {
      return "nothing";
    }
    const auto [from, part] = under_way_[to].front();
    under_way_[to].pop_front();
    redis::Node::Outputs outputs;
    nodes_[to]->hear(from, part, clocks(), outputs);
    return (part.is_of_replica ? "hears replica " + std::to_string(from)
                               : std::to_string(to) + " hears the stream") +
           note(to, outputs);
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
      redis::Node::Outputs outputs;
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
    redis::Node::Outputs outputs;
    nodes_[primary_]->advance(clocks(), outputs);
    return "due at " + std::to_string(wall_.count()) + note(primary_, outputs);
  }

 private:
  NodeClocks clocks() const { return {wall_, 0ns}; }
  std::string say_to(std::size_t place, const redis::Command& command, ConnectionId connection) {
    redis::Node::Outputs outputs;
    const auto reply = nodes_[place]->submit({command, connection}, clocks(), outputs);
    if (!reply) {
      ++unanswered_[connection];
    }
    const std::string later = note(place, outputs);
    return std::to_string(connection) + " says " + to_text(redis::Request{command, connection}) + ": " +
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
      redis::Node::Outputs outputs;
      nodes_[other]->lose(place, clocks(), outputs);
      text += note(other, outputs);
    }
    if (place == primary_) {
      unanswered_.clear();
    }
    return text;
  }
  std::string note(std::size_t from, const redis::Node::Outputs& outputs) {
    std::string text;
    for (const redis::Node::Output& output : outputs) {
      if (const auto* const answered = std::get_if<redis::Node::Answered>(&output)) {
        text += " | " + std::to_string(answered->connection) + " is answered " + to_text(answered->answer);
        if (--unanswered_.at(answered->connection) == 0) {
          unanswered_.erase(answered->connection);
        }
      } else if (const auto* const sent = std::get_if<redis::Node::Sent>(&output)) {
        under_way_[sent->member].emplace_back(from, sent->part);
        text += " | tells " + std::to_string(sent->member);
      }
    }
    return text;
  }

  std::array<redis::Node*, size> nodes_{};
  std::array<std::deque<std::pair<std::size_t, redis::StreamPart>>, size> under_way_;
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

 private:
  std::uint64_t state_;
};

std::string step(Trio& trio, Draws draws) {
  const auto connection = static_cast<ConnectionId>(1 + draws.below(3));
  const std::size_t replica = trio.replica(1 + draws.below(size - 1));
  switch (draws.below(20)) {
    case 0:
    case 1:
    case 2:
      return trio.say(redis::make_command("SET", "k", draws.below(9)), connection);
    case 3:
    case 4:
    case 5:
      return trio.say(redis::make_command("WAIT", draws.below(4), draws.below(3) * 100), connection);
    case 6:
      return trio.say(redis::make_command("GET", "k"), connection);
    case 7:
      return trio.close(connection);
    case 8:
    case 9:
    case 10:
      return trio.deliver(replica);
    case 11:
    case 12:
    case 13:
      return trio.deliver(trio.primary());
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
    case 16:
      return trio.say_to_replica(replica, redis::make_command("WAIT", draws.below(2), 100));
    case 17:  // in a transaction WAIT does not wait
      return trio.say_in_turn(
          {redis::make_command("MULTI"), redis::make_command("SET", "k", draws.below(9)),
           redis::make_command("WAIT", draws.below(3), draws.below(2) * 100), redis::make_command("EXEC")},
          connection);
    case 18:  // nor may a script
      return trio.say(
          redis::make_command("EVAL",
                              draws.below(2) == 0 ? "return redis.call('wait', 1, 100)"
                                                  : "return redis.call('set', 'k', 'of a script')",
                              "0"),
          connection);
    case 19:
      trio.move(std::chrono::milliseconds(static_cast<std::int64_t>(draws.below(500)) - 250));
      return "the clocks jumped";
    default:
      return trio.advance(std::chrono::microseconds(draws.below(70'000)));
  }
}

// Of those that have received the same the first takes over, not the one that was asked.
TEST(WarpWait, AReplicaThatIsAskedHasReceivedNoMoreForIt) {
  redis::ModelNodes models;
  RealNodes servers;
  for (redis::NodeMaker* const maker :
       {static_cast<redis::NodeMaker*>(&models), static_cast<redis::NodeMaker*>(&servers)}) {
    Trio trio(*maker, redis::AppendOnly::never);
    trio.say(redis::make_command("SET", "k", 1), 1);
    trio.deliver(1);
    trio.deliver(2);
    const std::string said = trio.say_to_replica(2, redis::make_command("WAIT", 0, 100));
    EXPECT_NE(said.find("WAIT cannot be used with replica instances"), std::string::npos) << said;
    EXPECT_EQ(trio.failover(), "1 takes over");
  }
}

// What a replica had received is gone when it restarts, or at least it does not know any more how much it
// was: it stands behind one that has received anything, and its clients are refused as before.
TEST(WarpWait, AReplicaThatRestartedStandsBehindOneThatDidNot) {
  redis::ModelNodes models;
  RealNodes servers;
  for (redis::NodeMaker* const maker :
       {static_cast<redis::NodeMaker*>(&models), static_cast<redis::NodeMaker*>(&servers)}) {
    for (const redis::AppendOnly append_only : {redis::AppendOnly::never, redis::AppendOnly::always}) {
      for (const bool other_received : {false, true}) {
        Trio trio(*maker, append_only);
        trio.say(redis::make_command("SET", "k", 1), 1);
        if (other_received) {
          trio.deliver(2);
        }
        trio.deliver(1);
        trio.restart(1);
        const std::string said = trio.say_to_replica(1, redis::make_command("WAIT", 0, 100));
        EXPECT_NE(said.find("WAIT cannot be used with replica instances"), std::string::npos) << said;
        EXPECT_EQ(trio.failover(), other_received ? "2 takes over" : "1 takes over");
      }
    }
  }
}

TEST(WarpWait, ReplicasAreWaitedForAsTheRealServersDo) {
  constexpr std::size_t steps_of_one = 40;
  const std::size_t conversations =
      how_many({.usual = 150, .thorough = 1500, .sanitized = 20}, "HOLDFAST_WARP_WAITS");
  redis::ModelNodes models;
  RealNodes servers;
  std::size_t waited = 0;
  for (std::size_t conversation = 0; conversation < conversations; ++conversation) {
    const redis::AppendOnly append_only =
        std::array{redis::AppendOnly::never, redis::AppendOnly::always}[conversation % 2];
    Trio model(models, append_only);
    Trio real(servers, append_only);
    Draws draws(conversation);
    std::string so_far;
    for (std::size_t number = 0; number < steps_of_one; ++number) {
      const Draws here = draws;
      const std::string expected = step(real, here);
      ASSERT_EQ(step(model, here), expected) << "conversation " << conversation << " so far:\n" << so_far;
      so_far += expected + "\n";
      waited += expected.find(": waits") != std::string::npos ? 1 : 0;
      for (int skipped = 0; skipped < 7; ++skipped) {
        draws.below(2);
      }
    }
  }
  EXPECT_GT(waited, conversations);
  std::printf("%zu conversations agree, with %zu commands that waited\n", conversations, waited);
}

}  // namespace warp_wait_test
}  // namespace holdfast::live
