// For the tests: a property of random histories, tried by RapidCheck. A history that breaks it is told with
// as few calls as still break it.
//
// RC_PARAMS of the environment (RapidCheck's own) chooses another seed, HOLDFAST_RANDOM_HISTORIES another
// number of histories.
#pragma once

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include "harness/check/linear/test_histories.h"

namespace holdfast::linear {

// In events; only such positions are tried when a history is made smaller.
constexpr std::size_t longest_history = 100;

// The history of a seed, without some of its calls.
struct RandomCase {
  std::uint64_t seed = 0;
  std::vector<std::size_t> left_out;  // positions of invocations

  std::vector<CallEvent> events(const AnyModel& model, const GenerateOptions& options = {}) const {
    std::vector<CallEvent> all = generate_history(model, options, seed);
    if (left_out.empty()) {
      return all;
    }
    std::vector<CallEvent> kept;
    std::vector<bool> is_left_out;  // the call that a client has open
    for (std::size_t position = 0; position < all.size(); ++position) {
      const CallEvent& event = all[position];
      is_left_out.resize(std::max<std::size_t>(is_left_out.size(), event.client + 1));
      if (event.type == CallEventType::invoke) {
        is_left_out[event.client] = std::ranges::count(left_out, position) > 0;
      }
      if (event.type == CallEventType::ended || !is_left_out[event.client]) {
        kept.push_back(event);
      }
    }
    return kept;
  }
};

inline std::ostream& operator<<(std::ostream& stream, const RandomCase& one) {
  stream << "seed " << one.seed << " without the calls at";
  for (const std::size_t position : one.left_out) {
    stream << ' ' << position;
  }
  return stream;
}

// `property` says what is wrong with a case, or nothing.
inline void expect_of_random_histories(std::uint64_t count,
                                       const std::function<std::string(const RandomCase&)>& property) {
  const rc::Gen<RandomCase> cases([](const rc::Random& random, int) {
    rc::Random stream = random;
    return rc::shrinkable::shrinkRecur(RandomCase{stream.next(), {}}, [](const RandomCase& from) {
      std::vector<RandomCase> smaller;
      for (std::size_t position = from.left_out.empty() ? 0 : from.left_out.back() + 1;
           position < longest_history; ++position) {
        smaller.push_back(from);
        smaller.back().left_out.push_back(position);
      }
      return rc::seq::fromContainer(smaller);
    });
  });
  rc::detail::TestParams parameters = rc::detail::configuration().testParams;
  if (std::getenv("RC_PARAMS") == nullptr) {
    parameters.seed = 1;
  }
  parameters.maxSuccess = static_cast<int>(count);
  const auto result = rc::detail::checkTestable(
      [&] {
        const RandomCase one = *cases;
        if (const std::string wrong = property(one); !wrong.empty()) {
          RC_FAIL(wrong);
        }
      },
      rc::detail::TestMetadata{}, parameters);
  std::ostringstream message;
  rc::detail::printResultMessage(result, message);
  EXPECT_TRUE(result.is<rc::detail::SuccessResult>()) << message.str();
}

}  // namespace holdfast::linear
