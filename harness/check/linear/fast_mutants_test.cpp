// Would the comparison of the fast checks with the general one (fast_test.cpp) notice a wrong fast check?
// Each mutant is a fast check that is wrong in one way: made for another model, or shown another history than
// the one that happened. Histories on which it refers to a search do not count against it, as in the
// comparison.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "harness/check/linear/fast.h"
#include "harness/check/linear/general.h"
#include "harness/check/linear/model.h"
#include "harness/check/linear/test_histories.h"

namespace holdfast::linear {
namespace fast_mutants_test {

using Events = std::vector<CallEvent>;

struct Mutant {
  std::string name;
  std::string model;
  std::string judged_as{};                      // else as the model itself
  std::function<Events(const Events&)> sees{};  // else what happened
  Reading reading{};
  bool finishes = true;
  std::optional<bool> answers_search_with{};  // whether it is linearizable, without knowing
};

void PrintTo(const Mutant& mutant, std::ostream* out) {
  *out << mutant.name << " of " << mutant.model;
}

// Which events a change is about.
struct Which {
  CallEventType type;
  bool (*is_about)(Action);
  bool refused = false;

  bool operator()(const CallEvent& event) const {
    return event.type == type && event.refused == refused && is_about(event.action);
  }
};

bool is_release(Action action) {
  return action == Action::release;
}
bool is_any(Action) {
  return true;
}

constexpr Which info_acquires{CallEventType::info, is_acquire};
constexpr Which info_releases{CallEventType::info, is_release};
constexpr Which info_calls{CallEventType::info, is_any};
constexpr Which failed_acquires{CallEventType::fail, is_acquire};
constexpr Which failed_releases{CallEventType::fail, is_release};
constexpr Which failed_calls{CallEventType::fail, is_any};
constexpr Which refused_acquires{CallEventType::ok, is_acquire, true};
constexpr Which refused_releases{CallEventType::ok, is_release, true};
constexpr Which refused_calls{CallEventType::ok, is_any, true};
constexpr Which granted_acquires{CallEventType::ok, is_acquire};
constexpr Which successful_releases{CallEventType::ok, is_release};

// Such events are taken for others.
std::function<Events(const Events&)> taken_as(Which which, CallEventType type) {
  return [=](Events events) {
    for (CallEvent& event : events) {
      if (which(event)) {
        event.type = type;
        event.refused = false;
      }
    }
    return events;
  };
}

// The event at the other end of the call, before it or after it; none if the client ended in between.
std::optional<std::size_t> other_end(const Events& events, std::size_t index) {
  const auto is_of_client = [&](const CallEvent& event) { return event.client == events[index].client; };
  const auto here = events.begin() + static_cast<std::ptrdiff_t>(index);
  auto other = events.end();
  if (here->type == CallEventType::invoke) {
    other = std::find_if(here + 1, events.end(), is_of_client);
  } else {
    const auto before = std::find_if(std::make_reverse_iterator(here), events.rend(), is_of_client);
    other = before == events.rend() ? events.end() : before.base() - 1;
  }
  if (other == events.end() || other->type == CallEventType::ended) {
    return std::nullopt;
  }
  return static_cast<std::size_t>(other - events.begin());
}

// Such returns are seen right after their invocations.
std::function<Events(const Events&)> seen_early(Which which) {
  return [=](const Events& events) {
    Events seen;
    for (std::size_t index = 0; index < events.size(); ++index) {
      const std::optional<std::size_t> other = other_end(events, index);
      if (events[index].type == CallEventType::invoke) {
        seen.push_back(events[index]);
        if (other && which(events[*other])) {
          seen.push_back(events[*other]);
        }
      } else if (!(other && which(events[index]))) {
        seen.push_back(events[index]);
      }
    }
    return seen;
  };
}

// The invocations of calls with such returns are seen right before these.
std::function<Events(const Events&)> seen_late(Which which) {
  return [=](const Events& events) {
    Events seen;
    for (std::size_t index = 0; index < events.size(); ++index) {
      const std::optional<std::size_t> other = other_end(events, index);
      if (events[index].type == CallEventType::invoke && other && which(events[*other])) {
        continue;
      }
      if (other && which(events[index])) {
        seen.push_back(events[*other]);
      }
      seen.push_back(events[index]);
    }
    return seen;
  };
}

std::function<Events(const Events&)> without(bool (*is_lost)(const CallEvent&)) {
  return [=](Events events) {
    std::erase_if(events, is_lost);
    return events;
  };
}

std::function<Events(const Events&)> all_in_mode(Mode mode) {
  return [=](Events events) {
    for (CallEvent& event : events) {
      event.mode = mode;
    }
    return events;
  };
}

// How many grants each client has that it has not released.
class Depths {
 public:
  std::uint32_t of(const CallEvent& event) {
    depths_.resize(std::max<std::size_t>(depths_.size(), event.client + 1));
    return depths_[event.client];
  }
  void count(const CallEvent& event) {
    std::uint32_t depth = of(event);
    if (event.type == CallEventType::ended) {
      depth = 0;
    } else if (granted_acquires(event)) {
      ++depth;
    } else if (event.type == CallEventType::invoke && is_release(event.action) && depth > 0) {
      --depth;
    }
    depths_[event.client] = depth;
  }

 private:
  std::vector<std::uint32_t> depths_;
};

// Calls of the kind whose client holds at least so many grants already are not seen at all.
std::function<Events(const Events&)> without_calls_from_depth(std::uint32_t least, bool (*is_about)(Action)) {
  return [=](const Events& events) {
    Depths depths;
    std::vector<bool> lost(events.size(), false);
    for (std::size_t index = 0; index < events.size(); ++index) {
      const CallEvent& event = events[index];
      const std::optional<std::size_t> other = other_end(events, index);
      if (event.type == CallEventType::invoke && other && is_about(event.action) &&
          depths.of(event) >= least) {
        lost[index] = true;
        lost[*other] = true;
      }
      depths.count(event);
    }
    Events seen;
    for (std::size_t index = 0; index < events.size(); ++index) {
      if (!lost[index]) {
        seen.push_back(events[index]);
      }
    }
    return seen;
  };
}

Events nested_tokens_ignored(const Events& events) {
  Depths depths;
  Events seen = events;
  for (CallEvent& event : seen) {
    if (depths.of(event) > 0) {
      event.token.reset();
    }
    depths.count(event);
  }
  return seen;
}

// As if tokens were compared with >=.
Events repeated_tokens_ignored(const Events& events) {
  Events seen = events;
  std::optional<std::int64_t> greatest;
  for (CallEvent& event : seen) {
    if (!granted_acquires(event) || !event.token) {
      continue;
    }
    if (event.token == greatest) {
      event.token.reset();
    } else {
      greatest = std::max(greatest, event.token);
    }
  }
  return seen;
}

// As if a token that is less than the one before began a new count.
Events fallen_tokens_raised(const Events& events) {
  Events seen = events;
  std::optional<std::int64_t> last;
  std::int64_t shift = 0;
  for (CallEvent& event : seen) {
    if (!granted_acquires(event) || !event.token) {
      continue;
    }
    if (last && *event.token < *last) {
      shift += *last - *event.token + 1;
    }
    last = event.token;
    *event.token += shift;
  }
  return seen;
}

// As if a client that ends with no call open let go of everything at once.
Events ended_taken_as_released(const Events& events) {
  Depths depths;
  Events seen;
  std::vector<bool> open;
  for (const CallEvent& event : events) {
    open.resize(std::max<std::size_t>(open.size(), event.client + 1));
    for (std::uint32_t left = event.type == CallEventType::ended && !open[event.client] ? depths.of(event)
                                                                                        : 0;
         left > 0; --left) {
      CallEvent release = event;
      release.action = Action::release;
      release.type = CallEventType::invoke;
      seen.push_back(release);
      release.type = CallEventType::ok;
      seen.push_back(release);
    }
    open[event.client] = event.type == CallEventType::invoke;
    depths.count(event);
    seen.push_back(event);
  }
  return seen;
}

bool is_ended(const CallEvent& event) {
  return event.type == CallEventType::ended;
}

// What the mutant says; nothing if that is for a search, or the history makes no sense to it.
std::optional<bool> says_linearizable(const Mutant& mutant, const Events& events) {
  const std::unique_ptr<FastCheck> check = make_fast_check(
      model_called(mutant.judged_as.empty() ? mutant.model : mutant.judged_as), mutant.reading);
  const Events seen = mutant.sees ? mutant.sees(events) : events;
  for (Position position = 0; position < seen.size(); ++position) {
    check->observe(seen[position], position);
  }
  if (mutant.finishes) {
    check->finish();
  }
  if (!check->verdict().problem.empty()) {
    return std::nullopt;
  }
  if (check->verdict().answer == FastAnswer::search) {
    return mutant.answers_search_with;
  }
  return check->verdict().answer == FastAnswer::linearizable;
}

bool is_linearizable(const AnyModel& model, const Events& events) {
  const auto paired = pair_calls(events, ended_lets_go(model));
  return std::ranges::all_of(std::get<std::vector<KeyCalls>>(paired), [&](const KeyCalls& key) {
    return check_general(model, key.calls, {}).answer == Answer::linearizable;
  });
}

// The first seed whose history the mutant judges otherwise than the general checker.
std::optional<std::uint64_t> first_difference(const Mutant& mutant, std::uint64_t histories) {
  const AnyModel model = model_called(mutant.model);
  for (std::uint64_t seed = 1; seed <= histories; ++seed) {
    const Events events = generate_history(model, {}, seed);
    const std::optional<bool> answer = says_linearizable(mutant, events);
    if (answer && *answer != is_linearizable(model, events)) {
      return seed;
    }
  }
  return std::nullopt;
}

std::vector<Mutant> mutants() {
  using enum CallEventType;
  return {
      // How it is configured.
      {.name = "OnePermitMore", .model = "semaphore:2", .judged_as = "semaphore:3"},
      {.name = "OnePermitLess", .model = "semaphore:2", .judged_as = "semaphore:1"},
      {.name = "TwoPermits", .model = "mutex", .judged_as = "semaphore:2"},
      {.name = "OneCountMore", .model = "latch:2", .judged_as = "latch:3"},
      {.name = "OneCountLess", .model = "latch:2", .judged_as = "latch:1"},
      {.name = "OwnersIgnored", .model = "owner-mutex", .judged_as = "mutex"},
      {.name = "OwnersInsistedOn", .model = "mutex", .judged_as = "owner-mutex"},
      {.name = "ReentryAllowed", .model = "owner-mutex", .judged_as = "reentrant-mutex"},
      {.name = "ReentryForbidden", .model = "reentrant-mutex", .judged_as = "owner-mutex"},
      {.name = "OrderIgnored", .model = "fifo-mutex", .judged_as = "owner-mutex"},
      {.name = "OrderInsistedOn", .model = "owner-mutex", .judged_as = "fifo-mutex"},
      {.name = "TokensIgnored", .model = "fenced-mutex", .judged_as = "owner-mutex"},
      {.name = "TokensIgnored", .model = "reentrant-fenced-mutex", .judged_as = "reentrant-mutex"},
      {.name = "UnknownReleasesDoNothing",
       .model = "owner-mutex",
       .reading = {.unknown = ReleaseReading::nothing}},
      {.name = "UnknownReleasesDoNothing",
       .model = "semaphore:2",
       .reading = {.unknown = ReleaseReading::nothing}},
      {.name = "FailedReleasesMayEndTheHold",
       .model = "owner-mutex",
       .reading = {.failed = ReleaseReading::perhaps}},
      {.name = "FailedReleasesMayEndTheHold",
       .model = "mutex",
       .reading = {.failed = ReleaseReading::perhaps}},
      {.name = "NeverFinishes", .model = "owner-mutex", .finishes = false},
      {.name = "NeverRefersToASearchButAccepts", .model = "owner-mutex", .answers_search_with = true},
      {.name = "NeverRefersToASearchButRejects", .model = "owner-mutex", .answers_search_with = false},
      {.name = "NeverRefersToASearchButAccepts", .model = "semaphore:2", .answers_search_with = true},
      {.name = "NeverRefersToASearchButRejects", .model = "semaphore:2", .answers_search_with = false},
      // What it makes of calls that were not simply successful.
      {.name = "UnknownAcquiresForgotten", .model = "owner-mutex", .sees = taken_as(info_acquires, fail)},
      {.name = "UnknownAcquiresForgotten", .model = "mutex", .sees = taken_as(info_acquires, fail)},
      {.name = "UnknownAcquiresTakenAsGranted", .model = "owner-mutex", .sees = taken_as(info_acquires, ok)},
      {.name = "UnknownReleasesTakenAsDone", .model = "owner-mutex", .sees = taken_as(info_releases, ok)},
      {.name = "UnknownReleasesTakenAsDone", .model = "semaphore:2", .sees = taken_as(info_releases, ok)},
      {.name = "UnknownCountDownsForgotten", .model = "latch:2", .sees = taken_as(info_calls, fail)},
      {.name = "UnknownCountDownsTakenAsDone", .model = "latch:2", .sees = taken_as(info_calls, ok)},
      {.name = "FailedAcquiresTakenAsGranted", .model = "owner-mutex", .sees = taken_as(failed_acquires, ok)},
      {.name = "FailedReleasesTakenAsDone", .model = "owner-mutex", .sees = taken_as(failed_releases, ok)},
      {.name = "FailedReleasesTakenAsDone", .model = "rw-lock", .sees = taken_as(failed_releases, ok)},
      {.name = "FailedCountDownsTakenAsUnknown", .model = "latch:2", .sees = taken_as(failed_calls, info)},
      {.name = "RefusalsIgnored", .model = "owner-mutex", .sees = taken_as(refused_acquires, fail)},
      {.name = "RefusalsIgnored", .model = "semaphore:2", .sees = taken_as(refused_acquires, fail)},
      {.name = "RefusalsIgnored", .model = "reentrant-mutex", .sees = taken_as(refused_acquires, fail)},
      {.name = "RefusalsIgnored", .model = "latch:2", .sees = taken_as(refused_calls, fail)},
      {.name = "RefusalsTakenAsGrants", .model = "owner-mutex", .sees = taken_as(refused_acquires, ok)},
      {.name = "RefusedReleasesIgnored", .model = "owner-mutex", .sees = taken_as(refused_releases, fail)},
      {.name = "RefusedReleasesTakenAsDone", .model = "owner-mutex", .sees = taken_as(refused_releases, ok)},
      // When it takes a hold to begin and to end.
      {.name = "CoresBeginWithTheAcquire", .model = "owner-mutex", .sees = seen_early(granted_acquires)},
      {.name = "CoresBeginWithTheAcquire", .model = "rw-lock", .sees = seen_early(granted_acquires)},
      {.name = "CoresBeginWithTheAcquire", .model = "semaphore:2", .sees = seen_early(granted_acquires)},
      {.name = "CoresEndAfterTheRelease", .model = "owner-mutex", .sees = seen_late(successful_releases)},
      {.name = "CoresEndAfterTheRelease", .model = "semaphore:2", .sees = seen_late(successful_releases)},
      {.name = "RefusalsOnlyWhenInvoked", .model = "owner-mutex", .sees = seen_early(refused_acquires)},
      {.name = "RefusalsOnlyOnReturn", .model = "owner-mutex", .sees = seen_late(refused_acquires)},
      {.name = "OrderOfGrantsForgotten", .model = "fifo-mutex", .sees = seen_late(granted_acquires)},
      {.name = "EndedIgnored", .model = "owner-mutex", .sees = without(is_ended)},
      {.name = "EndedIgnored", .model = "semaphore:2", .sees = without(is_ended)},
      {.name = "EndedTakenAsReleased", .model = "owner-mutex", .sees = ended_taken_as_released},
      // Whom it lets in.
      {.name = "SharedTakenAsExclusive", .model = "rw-lock", .sees = all_in_mode(Mode::exclusive)},
      {.name = "ExclusiveTakenAsShared", .model = "rw-lock", .sees = all_in_mode(Mode::shared)},
      {.name = "ReentryNotCounted",
       .model = "reentrant-mutex",
       .sees = without_calls_from_depth(1, is_acquire)},
      {.name = "NestedReleasesNotCounted",
       .model = "reentrant-mutex",
       .sees = without_calls_from_depth(2, is_release)},
      // Tokens.
      {.name = "TokensMayRepeat", .model = "fenced-mutex", .sees = repeated_tokens_ignored},
      {.name = "TokensMayFall", .model = "fenced-mutex", .sees = fallen_tokens_raised},
      {.name = "NestedTokensIgnored", .model = "reentrant-fenced-mutex", .sees = nested_tokens_ignored},
  };
}

std::string test_name(const ::testing::TestParamInfo<Mutant>& tested) {
  std::string name = tested.param.name + "_" + tested.param.model;
  std::ranges::replace_if(name, [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

class FastMutant : public ::testing::TestWithParam<Mutant> {};

TEST_P(FastMutant, IsCaught) {
  const std::optional<std::uint64_t> seed = first_difference(GetParam(), 100000);
  ASSERT_TRUE(seed);
  RecordProperty("seed", std::to_string(*seed));
}

INSTANTIATE_TEST_SUITE_P(All, FastMutant, ::testing::ValuesIn(mutants()), test_name);

TEST(FastMutants, ACheckThatIsRightIsNotCaught) {
  for (const std::string& model : one_of_each_model()) {
    if (make_fast_check(model_called(model)) != nullptr) {
      EXPECT_FALSE(first_difference({.name = "Unchanged", .model = model}, random_histories() / 20)) << model;
    }
  }
}

}  // namespace fast_mutants_test
}  // namespace holdfast::linear
