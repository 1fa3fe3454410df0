// The history of a run: stamped, kept, shown to sinks, and part of the fingerprint.
#include "harness/history/history.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/kernel/test_kernel.h"

namespace holdfast {
namespace {

using ::testing::ElementsAre;

class HistoryTest : public ::testing::Test, public EventSink {
 protected:
  HistoryTest() { history.reset(world.kernel, false); }
  void on_event(const Event& event, const History& from) override {
    EXPECT_EQ(&event, &from.events().back());
    seen.push_back(std::string(to_text(event.type)) + " " + from.text(event));
  }
  static Event event_of(ProcessId process, EventType type = EventType::invoke) {
    Event event;
    event.type = type;
    event.process = process;
    return event;
  }

  TestKernel world;
  History history;
  std::vector<std::string> seen;
};

TEST_F(HistoryTest, StampsEventsWithTrueTimeAndTheClocksOfTheirProcess) {
  world.kernel.jump_clock(world.a, ClockKind::wall, 5s);
  world.at(3s, [&] { history.record(event_of(world.a)); });
  world.kernel.hold_open();
  world.run({.true_time = 4s});
  const Event& event = history.events().at(0);
  EXPECT_EQ(event.true_time, 3s);
  EXPECT_EQ(event.wall, world.kernel.read_clock(world.b, ClockKind::wall) + 5s);
  EXPECT_EQ(event.monotonic, world.kernel.read_clock(world.a, ClockKind::monotonic));
}

TEST_F(HistoryTest, ShowsEachEventToItsSinksAsItHappens) {
  history.add_sink(*this);
  history.record(event_of(world.a), "first");
  EXPECT_THAT(seen, ElementsAre("invoke first"));
  history.record(event_of(world.b, EventType::died));
  EXPECT_THAT(seen, ElementsAre("invoke first", "died "));
}

TEST_F(HistoryTest, KeepsTextsApartAlsoAfterAReset) {
  history.record(event_of(world.a), "one");
  history.record(event_of(world.a), "two");
  EXPECT_EQ(history.text(history.events()[0]), "one");
  EXPECT_EQ(history.text(history.events()[1]), "two");
  history.reset(world.kernel, true);
  EXPECT_TRUE(history.events().empty());
  EXPECT_TRUE(history.wants_details());
  history.record(event_of(world.a));
  history.record(event_of(world.a), "three");
  EXPECT_EQ(history.text(history.events()[0]), "");
  EXPECT_EQ(history.text(history.events()[1]), "three");
}

TEST_F(HistoryTest, NamesAThreadOnlyWhereThereIsAnother) {
  Event event = event_of(world.a);
  EXPECT_EQ(history.thread_name(event), "a");
  event.thread = 1;
  EXPECT_EQ(history.thread_name(event), "a");
  event.thread = 2;
  EXPECT_EQ(history.thread_name(event), "a:2");
}

TEST_F(HistoryTest, TheFingerprintSeesWhatHappenedButNotDetails) {
  const std::uint64_t before = world.kernel.fingerprint().value();
  history.record(event_of(world.a, EventType::applied), "SET k v → OK");
  EXPECT_EQ(world.kernel.fingerprint().value(), before);
  history.record(event_of(world.a));
  EXPECT_NE(world.kernel.fingerprint().value(), before);
}

TEST_F(HistoryTest, TheFingerprintTellsTokensValuesAndProcessesApart) {
  const auto fingerprint_of = [](const Event& event) {
    TestKernel fresh;
    History told;
    told.reset(fresh.kernel, false);
    told.record(event);
    return fresh.kernel.fingerprint().value();
  };
  Event event = event_of(world.a);
  const std::uint64_t plain = fingerprint_of(event);
  event.token = 5;
  const std::uint64_t with_token = fingerprint_of(event);
  EXPECT_NE(with_token, plain);
  event.value = 1;
  EXPECT_NE(fingerprint_of(event), with_token);
  EXPECT_NE(fingerprint_of(event_of(world.b)), plain);
}

}  // namespace
}  // namespace holdfast
