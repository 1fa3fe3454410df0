// A property that does not hold is noticed, and told with a history that has nothing to spare.
#include "harness/check/linear/random_property.h"

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

namespace holdfast::linear {
namespace random_property_test {

std::string says_nothing_is_refused(const RandomCase& one) {
  const std::vector<CallEvent> events = one.events(OwnerMutex{});
  const auto calls = std::ranges::count(events, CallEventType::invoke, &CallEvent::type);
  return std::ranges::any_of(events, &CallEvent::refused) ? "a refusal in " + std::to_string(calls) + " calls"
                                                          : "";
}

TEST(RandomProperty, ThatFailsIsToldWithAsFewCallsAsPossible) {
  EXPECT_NONFATAL_FAILURE(expect_of_random_histories(1000, says_nothing_is_refused), "a refusal in 1 calls");
}

TEST(RandomProperty, IsTriedAsOftenAsAsked) {
  std::uint64_t tried = 0;
  expect_of_random_histories(1234, [&](const RandomCase&) {
    ++tried;
    return std::string();
  });
  EXPECT_EQ(tried, 1234U);
}

}  // namespace random_property_test
}  // namespace holdfast::linear
