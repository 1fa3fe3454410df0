// For the tests: calls written by hand, and random ones.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "harness/check/linear/generate.h"
#include "harness/check/linear/pairs.h"
#include "harness/kernel/test_volume.h"

namespace holdfast::linear {

inline AnyModel model_called(const std::string& text) {
  return std::get<AnyModel>(parse_model(text));
}

// A call, to be refined: call(Action::acquire, 0, 1, 2).token(33) is client 0's, from event 1 to event 2.
struct Made : Call {
  Made with_token(std::int64_t number) const {
    Made made = *this;
    made.token = number;
    return made;
  }
  Made with_value(std::int64_t number) const {
    Made made = *this;
    made.value = number;
    return made;
  }
  Made expecting(std::int64_t number) const {
    Made made = *this;
    made.expected = number;
    return made;
  }
  Made is_refused() const {
    Made made = *this;
    made.refused = true;
    return made;
  }
  Made is_shared() const {
    Made made = *this;
    made.mode = Mode::shared;
    return made;
  }
};

inline Made call(Action action, ClientNumber client, Position invoked, Position returned = never_returned) {
  Made made;
  made.action = action;
  made.client = client;
  made.invoked = invoked;
  made.returned = returned;
  made.outcome = returned == never_returned ? Outcome::info : Outcome::ok;
  return made;
}

// How many random histories a test looks at.
inline std::uint64_t random_histories() {
  return how_many({.usual = 20'000, .thorough = 100'000, .sanitized = 5'000}, "HOLDFAST_RANDOM_HISTORIES");
}

// Of the one key there is.
inline std::vector<Call> calls_of(const AnyModel& model, const std::vector<CallEvent>& events) {
  auto paired = pair_calls(events, ended_lets_go(model));
  auto& keys = std::get<std::vector<KeyCalls>>(paired);
  return keys.empty() ? std::vector<Call>() : std::move(keys.front().calls);
}

inline std::vector<Call> random_calls(const AnyModel& model, std::uint64_t seed,
                                      const GenerateOptions& options = {}) {
  return calls_of(model, generate_history(model, options, seed));
}

inline std::vector<std::string> one_of_each_model() {
  return {"mutex",        "owner-mutex", "reentrant-mutex", "fenced-mutex", "reentrant-fenced-mutex",
          "fifo-mutex",   "rw-lock",     "semaphore:2",     "latch:2",      "register",
          "cas-register", "counter",     "fenced-register"};
}

}  // namespace holdfast::linear
