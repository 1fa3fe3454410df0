// For tests: a history told by hand, event by event, and what a check says of it.
//
//   Story story;
//   story.granted(1s, story.a, 1).granted(2s, story.b, 2);
//   const Verdict verdict = story.judge(check);      // witness indices count the events told, from 0
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "harness/check/check.h"
#include "harness/kernel/test_kernel.h"

namespace holdfast {

class Story {
 public:
  explicit Story(CheckContext check_context = {}) : context(check_context), a(world.a), b(world.b) {
    c = world.kernel.add_process("c");
  }

  Story& tell(Duration time, Event event, std::string text = {}) {
    event.thread = event.thread == 0 && event.operation != Operation::none ? 1 : event.thread;
    told_.push_back({time, event, std::move(text)});
    return *this;
  }
  Story& asks(Duration time, ProcessId who, std::uint32_t session, Mode mode = Mode::exclusive) {
    return tell(time, {.type = EventType::invoke,
                       .operation = Operation::acquire,
                       .mode = mode,
                       .process = who,
                       .session = session,
                       .token = {}});
  }
  Story& granted(Duration time, ProcessId who, std::uint32_t session, std::optional<std::int64_t> token = {},
                 Mode mode = Mode::exclusive) {
    return tell(time, {.type = EventType::ok,
                       .operation = Operation::acquire,
                       .mode = mode,
                       .process = who,
                       .session = session,
                       .token = token});
  }
  Story& releases(Duration time, ProcessId who, std::uint32_t session, Mode mode = Mode::exclusive) {
    return tell(time, {.type = EventType::invoke,
                       .operation = Operation::release,
                       .mode = mode,
                       .process = who,
                       .session = session,
                       .token = {}});
  }
  Story& dies(Duration time, ProcessId who, std::uint32_t thread = 0) {
    return tell(time, {.type = EventType::died, .process = who, .thread = thread, .token = {}});
  }
  // An operation that is over, one way or another.
  Story& ended(Duration time, EventType type, Operation operation, ProcessId who, std::uint32_t session,
               std::int64_t value = 0, std::string text = {}) {
    return tell(time,
                {.type = type,
                 .operation = operation,
                 .process = who,
                 .session = session,
                 .token = {},
                 .value = value},
                std::move(text));
  }
  // A fault that excuses waiting begins or ends.
  Story& excuse(Duration time, EventType type) {
    return tell(time, {.type = type, .process = a, .token = {}, .value = 1});
  }

  // Tells all of it, to every check given; the run ends `end` at the last event or, if later, at `until`.
  void run(const std::vector<Check*>& checks, RunEnd end = RunEnd::finished, Duration until = {}) {
    history.reset(world.kernel, false);
    for (Check* check : checks) {
      check->reset(context);
      history.add_sink(*check);
    }
    const Duration ended = record_all(until);
    for (Check* check : checks) {
      check->finish(ended, end);
    }
  }
  // Tells the history, whoever listens to it. Returns when the run ended.
  Duration record_all(Duration until = {}) {
    for (const Told& each : told_) {
      world.at(each.time, [this, &each] { history.record(each.event, each.text); });
    }
    const Duration ended = std::max(until, told_.empty() ? Duration::zero() : told_.back().time);
    world.kernel.hold_open();
    world.run({.true_time = ended});
    return ended;
  }
  Verdict judge(Check& check, RunEnd end = RunEnd::finished, Duration until = {}) {
    run({&check}, end, until);
    return check.verdict(history);
  }

  TestKernel world;
  History history;
  CheckContext context;
  ProcessId a;
  ProcessId b;
  ProcessId c{};

 private:
  struct Told {
    Duration time;
    Event event;
    std::string text;
  };
  std::vector<Told> told_;
};

}  // namespace holdfast
