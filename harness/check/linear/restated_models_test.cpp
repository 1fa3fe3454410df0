// Some models once more, in other words: as a rule about the whole sequence instead of a state. Compared with
// the models on random sequences of calls.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>

#include "harness/check/linear/test_histories.h"
#include "harness/kernel/random_strategy.h"

namespace holdfast::linear {
namespace restated_models_test {

using Sequence = std::vector<Call>;
using Restated = std::function<bool(const Sequence&)>;

std::int64_t count_granted(const Sequence& before, Action action) {
  return std::ranges::count_if(before, [&](const Call& call) {
    return !call.refused && (action == Action::release) == (call.action == Action::release);
  });
}

// Taken is what was acquired and not yet given back.
bool fits_permits(const Sequence& calls, std::int64_t permits) {
  for (std::size_t index = 0; index < calls.size(); ++index) {
    const Sequence before(calls.begin(), calls.begin() + static_cast<std::ptrdiff_t>(index));
    const std::int64_t taken =
        count_granted(before, Action::acquire) - count_granted(before, Action::release);
    const bool could = calls[index].action == Action::release ? taken >= 1 : taken <= permits - 1;
    if (could == calls[index].refused) {
      return false;
    }
  }
  return true;
}

// Each client's own balance decides.
bool fits_owners(const Sequence& calls, bool reentrant) {
  std::map<ClientNumber, int> balance;
  for (const Call& call : calls) {
    int others = 0;
    for (const auto& [client, held] : balance) {
      others += client == call.client ? 0 : held;
    }
    int& own = balance[call.client];
    const bool releases = call.action == Action::release;
    const bool could = releases ? own > 0 : others == 0 && (reentrant || own == 0);
    if (could == call.refused) {
      return false;
    }
    own += call.refused ? 0 : releases ? -1 : 1;
  }
  return true;
}

// A read sees the last write before it.
bool fits_register(const Sequence& calls) {
  for (std::size_t index = 0; index < calls.size(); ++index) {
    if (calls[index].action != Action::read || calls[index].refused) {
      continue;
    }
    std::optional<std::int64_t> last;
    for (std::size_t before = 0; before < index; ++before) {
      if (calls[before].action == Action::write && !calls[before].refused) {
        last = calls[before].value;
      }
    }
    if (last != calls[index].value) {
      return false;
    }
  }
  return true;
}

Sequence random_sequence(const AnyModel& model, RandomStrategy& random) {
  const auto draw = [&](std::uint64_t options) { return random.pick(StreamId{0}, options); };
  Sequence calls;
  for (std::uint64_t left = 1 + draw(6); left > 0; --left) {
    Made made = call(static_cast<Action>(draw(5)), static_cast<ClientNumber>(draw(2)), 0, 1);
    while (!knows(model, made.action)) {
      made.action = static_cast<Action>(draw(5));
    }
    made.refused = draw(3) == 0;
    made.value = draw(3) == 0 ? std::nullopt : std::optional(static_cast<std::int64_t>(draw(2)));
    calls.push_back(made);
  }
  return calls;
}

bool model_takes(const AnyModel& any, const Sequence& calls) {
  return with_model(any, [&](const auto& model) {
    auto state = std::optional(model.initial());
    for (const Call& call : calls) {
      state = state ? model.step(*state, call) : std::nullopt;
    }
    return state.has_value();
  });
}

void expect_same(const AnyModel& model, const Restated& restated) {
  RandomStrategy random;
  random.reset(1);
  random.open(StreamId{0}, {"sequences"});
  std::uint64_t legal = 0;
  for (std::uint64_t count = random_histories(); count > 0; --count) {
    const Sequence calls = random_sequence(model, random);
    ASSERT_EQ(model_takes(model, calls), restated(calls));
    legal += restated(calls) ? 1 : 0;
  }
  EXPECT_GT(legal, random_histories() / 20);
}

TEST(RestatedModels, Mutex) {
  expect_same(Mutex{}, [](const Sequence& calls) { return fits_permits(calls, 1); });
}

TEST(RestatedModels, Semaphore) {
  expect_same(model_called("semaphore:2"), [](const Sequence& calls) { return fits_permits(calls, 2); });
}

TEST(RestatedModels, OwnerMutex) {
  expect_same(OwnerMutex{}, [](const Sequence& calls) { return fits_owners(calls, false); });
}

TEST(RestatedModels, ReentrantMutex) {
  expect_same(ReentrantMutex{}, [](const Sequence& calls) { return fits_owners(calls, true); });
}

TEST(RestatedModels, Register) {
  expect_same(Register{}, fits_register);
}

}  // namespace restated_models_test
}  // namespace holdfast::linear
