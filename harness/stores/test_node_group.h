// For tests: nodes over the kernel's network, of a store made for the purpose: what it is told to do stands
// in the request. Messages take 1 ms.
#pragma once

#include <gtest/gtest.h>

#include <deque>
#include <functional>
#include <string>

#include "harness/kernel/test_kernel.h"
#include "harness/stores/node_group.h"

namespace holdfast {
namespace test_node_group {

struct Ask {
  std::string text;
  ConnectionId connection = no_connection;
  std::uint32_t number = 0;
};
struct Said {
  std::string text;
};
inline std::string_view call_name(const Ask& ask) {
  return ask.text;
}
inline std::string to_text(const Ask& ask) {
  return ask.text;
}
inline std::string to_text(const Said& said) {
  return said.text;
}
inline std::uint64_t digest(const Ask& ask) {
  return quick_hash(ask.text);
}
inline std::uint64_t digest(const Said& said) {
  return quick_hash(said.text);
}

struct Types {
  using Request = Ask;
  using Answer = Said;
  using News = std::string;
  using Part = int;
  using Noise = std::string;
};

// "now" is answered at once, "wait" with the next "free all", which answers whoever waits; "alarm" after 50
// ms of its monotonic clock; "keep" is answered at once and lasts as long as its connection; "tell all"
// pushes to all who ever spoke; "close" closes; "pass" tells member 1; "slow" is answered behind the next
// "quick" of its connection. Whoever murmurs hears "yes", as noise.
class TestNode final : public Node<Types> {
 public:
  std::optional<Said> submit(const Ask& ask, const NodeClocks& clocks, Outputs& outputs) override {
    asked.push_back(ask.text);
    spoke.push_back(ask.connection);
    if (ask.text == "wait") {
      waiting.push_back(ask.connection);
      return std::nullopt;
    }
    if (ask.text == "slow") {
      slow = ask.number;
      return std::nullopt;
    }
    if (ask.text == "quick") {
      outputs.emplace_back(Pushed{ask.connection, "about to answer"});
      outputs.emplace_back(Answered{ask.connection, {"quickly"}, ask.number});
      outputs.emplace_back(Answered{ask.connection, {"slowly"}, slow});
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
  void overhear(ConnectionId connection, const std::string& noise, const NodeClocks&,
                Outputs& outputs) override {
    asked.push_back(noise);
    outputs.emplace_back(Pushed{connection, "yes", true});
  }
  void close(ConnectionId connection, const NodeClocks&, Outputs& outputs) override {
    closed.push_back(connection);
    for (const ConnectionId told : told_of_the_end) {
      outputs.emplace_back(Pushed{told, "of an end"});
    }
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
  std::vector<ConnectionId> told_of_the_end;  // of any connection
  std::vector<int> heard;
  std::vector<std::size_t> lost;
  std::optional<Duration> alarm;
  int advanced = 0;
  std::uint32_t slow = 0;

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
    group.end();  // or nodes would still say something to those that leave
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

}  // namespace test_node_group
}  // namespace holdfast
