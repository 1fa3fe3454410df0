// A scenario at another pace: what was longer than something else still is.
#include "harness/live/control/scaled.h"

#include <gtest/gtest.h>

#include "faults/catalog.h"
#include "locks/lookup/lookup.h"

namespace holdfast::live {
namespace scaled_test {

Duration delay_at(std::int64_t speed_up, ScenarioDuration by) {
  Scenario scenario;
  scenario.clients.resize(1);
  scenario.clients.front().name = "c1";
  FaultSpec delay;
  delay.fault = "delay";
  delay.on = "c1";
  delay.at.process = "c1";
  delay.at.phase = Phase::sending;
  set_option(delay, "by", by);
  scenario.faults = {delay};
  const Scaled scaled = scale(scenario, *find_lock("redis-px-cad"), speed_up);
  EXPECT_EQ(scaled.plan.command_timeout, std::max<Duration>(Duration(1s) / speed_up, 100ms));
  const FaultSpec& fault = scaled.scenario.faults.front();
  return fault.options.duration(options_of(fault)[0]).resolve(scaled.plan.ttl);
}

TEST(Scaled, AMessageThatComesTooLateForItsClientStillDoes) {
  EXPECT_EQ(delay_at(1, {1100ms, 0}), 1100ms);
  EXPECT_EQ(delay_at(10, {1100ms, 0}), 110ms);
  EXPECT_EQ(delay_at(20, {1100ms, 0}), 105ms);  // clients wait 100 ms, not 50
}

TEST(Scaled, AMessageThatComesInTimeStillDoes) {
  EXPECT_EQ(delay_at(20, {900ms, 0}), 45ms);
}

TEST(Scaled, AMessageThatIsLaterThanALeaseIsAsMuchLater) {
  EXPECT_EQ(delay_at(20, {0ms, 1500}), 750ms);
}

}  // namespace scaled_test
}  // namespace holdfast::live
