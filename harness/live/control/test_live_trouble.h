// For tests: a live run that meets trouble at its first event. Its clients stand still meanwhile, for all
// they do passes through the controller.
#pragma once

#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <functional>
#include <string>
#include <utility>

#include "harness/live/control/live_run.h"
#include "harness/machine/process/live_error.h"
#include "harness/machine/process/test_place.h"
#include "harness/scenario/file/load.h"
#include "harness/scenario/shelf/shelf.h"
#include "locks/lookup/lookup.h"

namespace holdfast::live {

class LiveTroubleTest : public ::testing::Test, public EventSink {
 protected:
  LiveTroubleTest()
      : scenario(load_scenario(std::string(HOLDFAST_SOURCE_DIR) + "/scenarios/gc-pause-write.json",
                               known_names())) {
    request.scenario = &scenario;
    request.lock = find_lock(scenario.lock);
    request.client_command = {HOLDFAST_BINARY, "live-client"};
    request.sink = this;
  }

  void on_event(const Event&, const History&) override {
    if (strike) {
      std::exchange(strike, nullptr)();
    }
  }

  // The sentence of the trouble; empty: there was none.
  std::string trouble() {
    std::string sentence;
    try {
      live.run(request);
    } catch (const LiveError& error) {
      sentence = error.what();
    }
    EXPECT_EQ(std::count(sentence.begin(), sentence.end(), '\n'), 0) << sentence;
    return sentence;
  }
  std::string trouble_with_client(const std::string& script) {
    request.client_command = {"bash", "-c", script};
    return trouble();
  }
  void expect_history() const {
    const auto& events = live.history().events();
    EXPECT_TRUE(std::any_of(events.begin(), events.end(),
                            [](const Event& event) { return event.type == EventType::invoke; }));
  }
  void TearDown() override { EXPECT_EQ(place.what_is_left(), ""); }

  const TestPlace place;
  Scenario scenario;
  LiveRequest request;
  std::function<void()> strike;
  LiveRun live;
};

}  // namespace holdfast::live
