// How: steps made by hand, as a thread takes them that asks again and again.
#include "harness/explore/step_list.h"

#include <gtest/gtest.h>

#include <string>

#include "faults/injector.h"

namespace holdfast {
namespace step_list_test {

constexpr ProcessId client{1};
constexpr ProcessId server{2};

// How many steps the client and the server have taken.
struct Counts {
  std::uint32_t client = 0;
  std::uint32_t server = 0;
};

class Thread {
 public:
  Thread(StepList& list, Counts& counts, std::uint32_t number = 1)
      : list_(list), counts_(counts), number_(number) {}
  void point(std::string_view name) {
    list_.on_step({.client = client,
                   .thread = number_,
                   .phase = Phase::point,
                   .name = name,
                   .client_ordinal = ++counts_.client});
  }
  void ask(std::string_view name) {
    for (const Phase phase : {Phase::sending, Phase::arrived, Phase::applied, Phase::replied}) {
      const bool at_server = phase == Phase::arrived || phase == Phase::applied;
      list_.on_step({.client = client,
                     .thread = number_,
                     .phase = phase,
                     .name = name,
                     .server = server,
                     .client_ordinal = ++counts_.client,
                     .server_ordinal = at_server ? ++counts_.server : 0});
    }
  }

 private:
  StepList& list_;
  Counts& counts_;
  std::uint32_t number_;
};

class StepListTest : public ::testing::Test {
 protected:
  // "pssSS…": a point, a call's step of the client or (capital) the server; "." where it repeats.
  std::string told() {
    list.finish();
    std::string text;
    for (const StepPlace& place : list.places()) {
      text += place.repeats ? '.' : place.phase == Phase::point ? 'p' : place.on_server ? 'S' : 's';
    }
    return text;
  }
  StepList list;
  Counts counts;
};

constexpr const char* one_call = "ssSsSs";

TEST_F(StepListTest, WhatIsAskedTwiceIsNoRepetition) {
  Thread thread(list, counts);
  thread.point("acquire");
  thread.ask("SET");
  thread.ask("SET");
  thread.point("acquired");
  EXPECT_EQ(told(), std::string("p") + one_call + one_call + "p");
}

TEST_F(StepListTest, BetweenTheSecondTimeAndTheLastNothingIsNew) {
  Thread thread(list, counts);
  thread.point("acquire");
  for (int times = 0; times < 5; ++times) {
    thread.ask("SET");
  }
  thread.point("acquired");
  EXPECT_EQ(told(), std::string("p") + one_call + one_call + "............" + one_call + "p");
}

TEST_F(StepListTest, TheLastTimeOfARunThatEndsMeanwhileCounts) {
  Thread thread(list, counts);
  for (int times = 0; times < 4; ++times) {
    thread.ask("SET");
  }
  EXPECT_EQ(told(), std::string(one_call) + one_call + "......" + one_call);
}

TEST_F(StepListTest, AfterAPointItIsNewAgain) {
  Thread thread(list, counts);
  for (int round = 0; round < 2; ++round) {
    thread.ask("SET");
    thread.ask("SET");
    thread.point("acquired");
  }
  EXPECT_EQ(told().find('.'), std::string::npos);
}

TEST_F(StepListTest, EachThreadAndEachCallIsCountedByItself) {
  Thread one(list, counts, 1);
  Thread two(list, counts, 2);
  for (int times = 0; times < 2; ++times) {
    one.ask("SET");
    two.ask("SET");
    one.ask("GET");
  }
  EXPECT_EQ(told().find('.'), std::string::npos);
}

TEST_F(StepListTest, StepsAfterTheLastThatIsTriedAreCounted) {
  Thread thread(list, counts);
  for (std::uint32_t step = 0; step < most_steps_of_a_process + 7; ++step) {
    thread.point("work");
  }
  EXPECT_EQ(told().size(), most_steps_of_a_process);
  EXPECT_EQ(list.beyond(), 7U);
  list.reset();
  EXPECT_EQ(list.beyond(), 0U);
  EXPECT_TRUE(list.places().empty());
}

}  // namespace step_list_test
}  // namespace holdfast
