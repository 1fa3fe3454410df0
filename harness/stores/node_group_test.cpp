// Nodes over the kernel's network, with a store made for the purpose: what it is told to do stands in the
// request. Messages take 1 ms.
#include "harness/stores/node_group.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <functional>
#include <string>

#include "harness/kernel/test_kernel.h"

namespace holdfast {
namespace node_group_test {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

struct Ask {
  std::string text;
  ConnectionId connection = no_connection;
};
struct Said {
  std::string text;
};
std::string_view call_name(const Ask& ask) {
  return ask.text;
}
std::string to_text(const Ask& ask) {
  return ask.text;
}
std::string to_text(const Said& said) {
  return said.text;
}
std::uint64_t digest(const Ask& ask) {
  return quick_hash(ask.text);
}
std::uint64_t digest(const Said& said) {
  return quick_hash(said.text);
}

struct Types {
  using Request = Ask;
  using Answer = Said;
  using News = std::string;
  using Part = int;
};

// "now" is answered at once, "wait" with the next "free all", which answers whoever waits; "alarm" after 50
// ms of its monotonic clock; "keep" is answered at once and lasts as long as its connection; "tell all"
// pushes to all who ever spoke; "close" closes; "pass" tells member 1.
class TestNode final : public Node<Types> {
 public:
  std::optional<Said> submit(const Ask& ask, const NodeClocks& clocks, Outputs& outputs) override {
    asked.push_back(ask.text);
    spoke.push_back(ask.connection);
    if (ask.text == "wait") {
      waiting.push_back(ask.connection);
      return std::nullopt;
    }
    if (ask.text == "alarm") {
      alarm = clocks.monotonic + 50ms;
      waiting.push_back(ask.connection);
      return std::nullopt;
    }
    if (ask.text == "keep") {
      kept.push_back(ask.connection);
    } else if (ask.text == "free all") {
      free_all("freed", outputs);
    } else if (ask.text == "tell all") {
      for (const ConnectionId connection : spoke) {
        outputs.emplace_back(Pushed{connection, "news"});
      }
    } else if (ask.text == "close") {
      outputs.emplace_back(Closed{ask.connection});
      return std::nullopt;
    } else if (ask.text == "pass") {
      outputs.emplace_back(Sent{1, 7});
    }
    return Said{"done"};
  }
  void close(ConnectionId connection, const NodeClocks&, Outputs&) override {
    closed.push_back(connection);
    std::erase(waiting, connection);
    std::erase(spoke, connection);
    std::erase(kept, connection);
  }
  bool keeps_something_of(ConnectionId connection) const override {
    return std::ranges::count(kept, connection) > 0;
  }
  void hear(std::size_t member, const int& part, const NodeClocks&, Outputs& outputs) override {
    heard.push_back(part);
    if (part == 7) {
      outputs.emplace_back(Sent{member, 8});
    } else {
      free_all("passed", outputs);
    }
  }
  void lose(std::size_t member, const NodeClocks&, Outputs&) override { lost.push_back(member); }
  std::optional<NodeTimer> next_due() const override {
    return alarm ? std::optional(NodeTimer{ClockKind::monotonic, *alarm}) : std::nullopt;
  }
  void advance(const NodeClocks& clocks, Outputs& outputs) override {
    ++advanced;
    if (alarm && *alarm <= clocks.monotonic) {
      alarm.reset();
      free_all("rang", outputs);
    }
  }
  void crash(const NodeClocks&) override { waiting.clear(); }
  void restart(const NodeClocks&) override { heard.push_back(-1); }

  std::deque<ConnectionId> waiting;
  std::vector<std::string> asked;
  std::vector<ConnectionId> spoke;
  std::vector<ConnectionId> kept;
  std::vector<ConnectionId> closed;
  std::vector<int> heard;
  std::vector<std::size_t> lost;
  std::optional<Duration> alarm;
  int advanced = 0;

 private:
  void free_all(const std::string& word, Outputs& outputs) {
    for (const ConnectionId connection : std::exchange(waiting, {})) {
      outputs.emplace_back(Answered{connection, {word}});
    }
  }
};

class NodeGroupTest : public ::testing::Test {
 protected:
  class Group final : public NodeGroup<Types> {
   public:
    using NodeGroup::NodeGroup;
    std::size_t calls_made() const { return calls().pool_size(); }
  };

  class Line final : public Group::Connection {
   public:
    Line(Group& group, ProcessId client, TestKernel& world, std::string name)
        : Connection(group, client), world_(world), name_(std::move(name)) {}
    void hear(const std::string& news) override { world_.note(name_ + " hears " + news); }
    void broke(ProcessId) override { world_.note(name_ + " broke"); }

   private:
    TestKernel& world_;
    std::string name_;
  };

  bool begin() {
    group.begin();
    group.add("one", one);
    group.add("two", two);
    network.reset(Latency{.least = 1ms, .jitter_step = 0ns, .jitter_steps = 1});
    steps.reset(world.kernel.process_count());
    group.start();
    world.kernel.hold_open();
    return true;
  }
  ~NodeGroupTest() override {
    world.kernel.stop();
    network.drop_everything();
  }

  // Not a coroutine: a request made inside a co_await would be destroyed twice by GCC 12.
  Group::CallsType::Awaiter send(Line& line, const std::string& text, std::size_t member = 0) {
    return group.call(line.client() == world.a ? env_a : env_b, line, member, 500ms, {.text = text});
  }
  Task<> ask_other(Line& line, std::string text) { co_await send(line, text, 1); }
  Task<> ask(Line& line, std::string text) {
    const auto result = co_await send(line, text);
    world.note(text + ": " +
               (result.error == CallError::none ? result.response.text
                                                : std::string(holdfast::to_text(result.error))));
    if (result.error == CallError::timeout) {
      line.replace();
    }
  }
  void at(Duration time, Line& line, const std::string& text) {
    world.at(time, [this, &line, text] { world.kernel.spawn(line.client(), ask(line, text)); });
  }
  void run() { world.run({.true_time = 1s}); }
  // Does this when the call takes the step: once.
  void when(Phase phase, std::string_view name, std::function<void()> what) {
    striker.phase = phase;
    striker.name = name;
    striker.what = std::move(what);
    steps.observe(striker);
  }

  class Striker final : public StepObserver {
   public:
    Phase phase = Phase::point;
    std::string name;
    std::function<void()> what;
    void on_step(const Step& step) override {
      if (what && step.phase == phase && step.name == name) {
        std::exchange(what, nullptr)();
      }
    }
  };

  TestKernel world;
  Steps steps;
  TestNode one;
  TestNode two;
  Striker striker;
  Network network{world.kernel};
  Group group{{world.kernel, network, steps}};
  Env env_a{world.kernel, steps, world.a, 1};
  Env env_b{world.kernel, steps, world.b, 1};
  bool has_begun = begin();
  Line first{group, world.a, world, "first"};
  Line second{group, world.a, world, "second"};
  Line other{group, world.b, world, "other"};
};

TEST_F(NodeGroupTest, AnAnswerComesAtOnceOrLaterAndOneRequestMaySetManyFree) {
  at(0ms, first, "now");
  at(10ms, first, "wait");
  at(20ms, other, "wait");
  at(30ms, second, "free all");
  run();
  EXPECT_THAT(world.log, ElementsAre("now: done 2", "wait: freed 32", "wait: freed 32", "free all: done 32"));
}

TEST_F(NodeGroupTest, WhatOneConnectionAskedIsAnsweredInThatOrder) {
  at(0ms, first, "wait");
  at(5ms, first, "alarm");
  at(10ms, other, "free all");
  run();
  EXPECT_THAT(world.log, ElementsAre("wait: freed 12", "alarm: freed 12", "free all: done 12"));
}

TEST_F(NodeGroupTest, NothingIsKeptOfWhatWasAnsweredOrWillNeverBe) {
  for (int number = 0; number < 30; ++number) {
    at(number * 20ms, first, "wait");
    at(number * 20ms, second, "wait");
    world.at(number * 20ms + 5ms, [&] { network.reset_connection(first.id(), world.a, group.process(0)); });
    at(number * 20ms + 10ms, other, "free all");
  }
  run();
  EXPECT_LE(group.calls_made(), 4U);
}

TEST_F(NodeGroupTest, ATimerOfANodeRunsOnItsOwnClock) {
  at(0ms, first, "alarm");
  world.at(10ms, [&] {
    world.kernel.set_clock_rate(group.process(0), ClockKind::monotonic, Clock::true_rate * 2);
  });
  run();
  EXPECT_THAT(world.log, ElementsAre("alarm: rang 31"));  // 9 ms, then 41 at twice the speed, and 1 back
}

TEST_F(NodeGroupTest, ATimerWaitsOutAPauseAndDiesWithItsProcess) {
  at(0ms, first, "alarm");
  world.at(10ms, [&] { world.kernel.pause(group.process(0)); });
  world.at(100ms, [&] { world.kernel.resume(group.process(0)); });
  at(200ms, first, "alarm");
  world.at(210ms, [&] { world.kernel.crash(group.process(0)); });
  run();
  EXPECT_THAT(world.log, ElementsAre("alarm: rang 101", "first broke 210", "alarm: connection reset 210"));
}

TEST_F(NodeGroupTest, ATimerThatTheNodeKeptRingsOnceAfterARestart) {
  at(0ms, first, "alarm");
  world.at(10ms, [&] { world.kernel.crash(group.process(0)); });
  world.at(20ms, [&] { world.kernel.restart(group.process(0)); });
  at(30ms, first, "wait");
  run();
  EXPECT_THAT(world.log, ElementsAre("first broke 10", "alarm: connection reset 10", "wait: rang 52"));
  EXPECT_EQ(one.advanced, 1);
}

TEST_F(NodeGroupTest, ATimerThatTheNodeKeptRingsAfterARestartThoughNobodyAsks) {
  at(0ms, first, "alarm");
  world.at(10ms, [&] { world.kernel.crash(group.process(0)); });
  world.at(20ms, [&] { world.kernel.restart(group.process(0)); });
  run();
  EXPECT_EQ(one.advanced, 1);
}

TEST_F(NodeGroupTest, ATimerThatComesDueWhileItsProcessIsDeadRingsAfterTheRestart) {
  at(0ms, first, "alarm");
  world.at(10ms, [&] { world.kernel.crash(group.process(0)); });
  world.at(100ms, [&] {
    EXPECT_EQ(one.advanced, 0);
    world.kernel.restart(group.process(0));
  });
  run();
  EXPECT_EQ(one.advanced, 1);
}

TEST_F(NodeGroupTest, ANodeThatNobodyAskedHasItsTimersToo) {
  one.alarm = 50ms;
  group.start();
  run();
  EXPECT_EQ(one.advanced, 1);
}

TEST_F(NodeGroupTest, ATimerThatIsPutOffRingsOnce) {
  at(0ms, first, "alarm");
  at(20ms, second, "alarm");
  run();
  EXPECT_THAT(world.log, ElementsAre("alarm: rang 72", "alarm: rang 72"));
  EXPECT_EQ(one.advanced, 1);
}

TEST_F(NodeGroupTest, NewsReachTheConnectionTheyAreFor) {
  at(0ms, first, "now");
  at(10ms, other, "tell all");
  run();
  EXPECT_THAT(world.log,
              ElementsAre("now: done 2", "first hears news 12", "other hears news 12", "tell all: done 12"));
}

TEST_F(NodeGroupTest, AServerMayCloseAConnection) {
  at(0ms, first, "close");
  at(10ms, first, "now");
  at(10ms, second, "now");
  run();
  EXPECT_THAT(world.log,
              ElementsAre("first broke 2", "close: connection reset 2", "now: done 12", "now: done 12"));
}

TEST_F(NodeGroupTest, AConnectionBreaksAloneAndComesBackUnderAnotherNumber) {
  const ConnectionId before = first.id();
  at(0ms, first, "wait");
  at(0ms, second, "wait");
  world.at(10ms, [&] { network.reset_connection(before, world.a, group.process(0)); });
  at(20ms, other, "free all");
  run();
  EXPECT_THAT(world.log, ElementsAre("first broke 10", "wait: connection reset 10", "wait: freed 22",
                                     "free all: done 22"));
  EXPECT_THAT(one.closed, ElementsAre(before));
  EXPECT_NE(first.id(), before);
  EXPECT_EQ(place_of(first.id()), place_of(before));
}

TEST_F(NodeGroupTest, AClientThatIsDeadIsNotToldThatAConnectionBroke) {
  at(0ms, first, "now");
  world.at(10ms, [&] { world.kernel.crash(world.a); });
  world.at(20ms, [&] { network.reset_connections(world.a, group.process(0)); });
  run();
  EXPECT_THAT(world.log, ElementsAre("now: done 2"));
}

TEST_F(NodeGroupTest, WhoLosesPatienceClosesWhatIsNotAnsweredAndNothingElse) {
  const ConnectionId before = first.id();
  at(0ms, first, "wait");
  network.hold(group.process(0), world.b);
  at(0ms, other, "now");
  run();
  EXPECT_THAT(world.log, ElementsAre("wait: timed out 500", "now: timed out 500"));
  EXPECT_THAT(one.closed, ElementsAre(before));
  EXPECT_THAT(one.waiting, IsEmpty());
}

TEST_F(NodeGroupTest, WhatANodeKeepsOfAConnectionEndsWhenItsClientGivesItUp) {
  const ConnectionId before = first.id();
  network.hold(group.process(0), world.a);  // it is answered, and the client does not hear of it
  at(0ms, first, "keep");
  run();
  EXPECT_THAT(world.log, ElementsAre("keep: timed out 500"));
  EXPECT_THAT(one.closed, ElementsAre(before));
  EXPECT_THAT(one.kept, IsEmpty());
}

TEST_F(NodeGroupTest, WhatComesOnAConnectionThatWasGivenUpIsNotKept) {
  const ConnectionId before = first.id();
  network.delay_next(world.a, group.process(0), 600ms);
  at(0ms, first, "keep");
  run();
  EXPECT_THAT(one.asked, ElementsAre("keep"));
  EXPECT_THAT(one.closed, ElementsAre(before));
  EXPECT_THAT(one.kept, IsEmpty());
}

TEST_F(NodeGroupTest, WhatADeadServerHadNotAnsweredIsForgotten) {
  at(0ms, first, "wait");
  world.at(10ms, [&] { world.kernel.crash(group.process(0)); });
  world.at(20ms, [&] { world.kernel.restart(group.process(0)); });
  at(30ms, first, "wait");
  world.at(40ms, [&] { network.reset_connections(world.a, group.process(0)); });
  run();
  EXPECT_THAT(one.closed, ElementsAre(connection_at(place_of(first.id()), 1)));
}

TEST_F(NodeGroupTest, MembersHearEachOther) {
  at(0ms, first, "wait");
  at(10ms, second, "pass");
  run();
  EXPECT_THAT(world.log, ElementsAre("pass: done 12", "wait: passed 14"));
  EXPECT_THAT(two.heard, ElementsAre(7));
  EXPECT_THAT(one.heard, ElementsAre(8));
}

TEST_F(NodeGroupTest, AMemberThatDiesIsLostToTheOthersAndComesBack) {
  world.at(10ms, [&] { world.kernel.crash(group.process(1)); });
  world.at(20ms, [&] { world.kernel.restart(group.process(1)); });
  run();
  EXPECT_THAT(one.lost, ElementsAre(1U));
  EXPECT_THAT(two.lost, IsEmpty());
  EXPECT_THAT(two.heard, ElementsAre(-1));
}

TEST_F(NodeGroupTest, AConnectionThatBreaksWhileOthersAreAnsweredIsNotAnsweredAnyMore) {
  at(0ms, first, "wait");
  at(0ms, second, "wait");
  at(0ms, other, "wait");
  when(Phase::applied, "wait", [&] { network.reset_connections(world.a, group.process(0)); });
  world.at(10ms, [&] { world.kernel.spawn(world.b, ask(other, "free all")); });
  run();
  EXPECT_THAT(world.log, ElementsAre("first broke 11", "second broke 11", "wait: connection reset 11",
                                     "wait: connection reset 11", "wait: freed 12", "free all: done 12"));
}

TEST_F(NodeGroupTest, AServerThatDiesWhileItAnswersSaysNothingMore) {
  at(0ms, first, "wait");
  at(0ms, second, "wait");
  int applied = 0;
  when(Phase::applied, "wait", [&] {
    world.kernel.crash(group.process(0));
    striker.what = [&] { ++applied; };
  });
  at(10ms, other, "free all");
  run();
  EXPECT_EQ(applied, 0);
  EXPECT_THAT(world.log,
              ElementsAre("first broke 11", "second broke 11", "other broke 11", "wait: connection reset 11",
                          "wait: connection reset 11", "free all: connection reset 11"));
}

TEST_F(NodeGroupTest, AConnectionIsToOneServerAndOutlivesWhatBefallsAnother) {
  const ConnectionId before = first.id();
  at(0ms, first, "wait");
  world.at(10ms, [&] { network.reset_connections(world.a, group.process(1)); });
  world.at(20ms, [&] { world.kernel.crash(group.process(1)); });
  at(30ms, other, "tell all");
  at(40ms, other, "free all");
  run();
  EXPECT_THAT(world.log, ElementsAre("first hears news 32", "other hears news 32", "tell all: done 32",
                                     "wait: freed 42", "free all: done 42"));
  EXPECT_EQ(first.id(), before);
}

TEST_F(NodeGroupTest, WhoTurnsToAnotherServerLeavesTheOneBefore) {
  const ConnectionId before = first.id();
  at(0ms, first, "wait");
  world.at(10ms, [&] { world.kernel.spawn(world.a, ask_other(first, "now")); });
  run();
  EXPECT_THAT(one.closed, ElementsAre(before));
  EXPECT_THAT(two.spoke, ElementsAre(connection_at(place_of(before), 1)));
}

TEST_F(NodeGroupTest, WhatComesOnAConnectionThatTheServerHasClosedIsNotServed) {
  at(0ms, first, "close");
  at(0ms, first, "now");
  at(0ms, second, "now");
  run();
  EXPECT_THAT(world.log, ElementsAre("first broke 2", "now: done 2", "close: connection reset 2",
                                     "now: connection reset 2"));
  EXPECT_THAT(one.asked, ElementsAre("close", "now"));
}

TEST_F(NodeGroupTest, WhatWasGivenUpBeforeItArrivedIsNotWaitedFor) {
  const ConnectionId before = first.id();
  network.delay_next(world.a, group.process(0), 600ms);
  at(0ms, first, "wait");
  run();
  EXPECT_THAT(world.log, ElementsAre("wait: timed out 500"));
  EXPECT_THAT(one.closed, ElementsAre(before));
  EXPECT_THAT(one.waiting, IsEmpty());
}

TEST_F(NodeGroupTest, AResetTakesConnectionsThatWereGivenUpWithIt) {
  const ConnectionId before = first.id();
  at(0ms, first, "wait");
  world.at(500500us, [&] { network.reset_connections(world.a, group.process(0)); });
  run();
  EXPECT_THAT(one.closed, ElementsAre(connection_at(place_of(before), 1), before));
  EXPECT_THAT(one.waiting, IsEmpty());
}

TEST_F(NodeGroupTest, OneThatWasGivenUpCanStillBreakAtTheServer) {
  const ConnectionId before = first.id();
  at(0ms, first, "wait");
  world.at(500500us, [&] { network.reset_connection(before, world.a, group.process(0)); });
  run();
  EXPECT_THAT(world.log, ElementsAre("wait: timed out 500"));
  EXPECT_THAT(one.closed, ElementsAre(before));
}

}  // namespace node_group_test
}  // namespace holdfast
