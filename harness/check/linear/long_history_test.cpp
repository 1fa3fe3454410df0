// Long histories, short ones of them: the fast check says of each what the generator meant it to be, at the
// event it meant, and the general checker agrees. Through JSON Lines they come back as they were.
#include "harness/check/linear/long_history.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "harness/check/linear/corrupt.h"
#include "harness/check/linear/test_histories.h"
#include "harness/check/linear/test_verdicts.h"
#include "harness/history/read/read_history.h"
#include "harness/history/read/test_history.h"

namespace holdfast::linear {
namespace long_history_test {

struct Made {
  std::vector<CallEvent> events;
  std::optional<Position> violation;
};

Made make(const LongHistoryOptions& options) {
  LongHistory history(options);
  Made made;
  for (CallEvent event; history.next(event);) {
    made.events.push_back(event);
  }
  made.violation = history.violation();
  return made;
}

class LongHistories : public ::testing::TestWithParam<std::string> {
 protected:
  LongHistoryOptions options(std::uint64_t operations, std::uint64_t seed) const {
    LongHistoryOptions result;
    result.operations = operations;
    result.seed = seed;
    result.tokens = GetParam() == "fenced-mutex";
    return result;
  }
  AnyModel model() const { return model_called(GetParam()); }
};

TEST_P(LongHistories, AreValidUnlessAskedOtherwise) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const Made made = make(options(60, seed));
    EXPECT_EQ(made.events.size(), 120U);
    EXPECT_EQ(fast_verdict(model(), made.events).answer, FastAnswer::linearizable) << seed;
    EXPECT_EQ(general_answer(model(), made.events), Answer::linearizable) << seed;
  }
}

TEST_P(LongHistories, AreViolatedWhereTheySay) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    LongHistoryOptions violated = options(1000, seed);
    violated.violation_at = 50;
    const Made made = make(violated);
    ASSERT_TRUE(made.violation.has_value()) << seed;
    EXPECT_GE(*made.violation, 50U);
    EXPECT_LT(*made.violation, 150U);
    const FastVerdict verdict = fast_verdict(model(), made.events);
    EXPECT_EQ(verdict.answer, FastAnswer::violated) << seed;
    EXPECT_EQ(verdict.cause, FastCause::overlap) << seed;
    EXPECT_EQ(verdict.position, *made.violation) << seed;

    const auto begin = made.events.begin();
    const auto violation = begin + static_cast<std::ptrdiff_t>(*made.violation);
    EXPECT_EQ(general_answer(model(), {begin, violation}), Answer::linearizable) << seed;
    EXPECT_EQ(general_answer(model(), {begin, violation + 1}), Answer::violated) << seed;
  }
}

TEST_P(LongHistories, WithUnknownOutcomesAreValidAndNeedNoSearch) {
  std::uint64_t unknown = 0;
  std::uint64_t deaths = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    LongHistoryOptions some_unknown = options(60, seed);
    some_unknown.unknown = 100;
    const Made made = make(some_unknown);
    for (const CallEvent& event : made.events) {
      unknown += event.type == CallEventType::info ? 1 : 0;
      deaths += event.type == CallEventType::ended ? 1 : 0;
    }
    EXPECT_EQ(general_answer(model(), made.events), Answer::linearizable) << seed;
    EXPECT_EQ(fast_verdict(model(), made.events).answer, FastAnswer::linearizable) << seed;
  }
  EXPECT_GT(unknown, 450U);  // of 6000 operations
  EXPECT_LT(unknown, 750U);
  EXPECT_GT(deaths, 50U);
}

// Full of unknown outcomes and then damaged: where a fast check is most likely to be wrong.
TEST_P(LongHistories, ThatWereDamagedAreJudgedAsByTheGeneralChecker) {
  std::uint64_t answers[3] = {};
  for (std::uint64_t seed = 1; seed <= random_histories() / 5; ++seed) {
    LongHistoryOptions damaged = options(8 + seed % 8, seed);
    damaged.clients = 3;
    damaged.unknown = 400;
    std::vector<CallEvent> events = make(damaged).events;
    RandomStrategy random;
    random.reset(seed);
    random.open(StreamId{0}, {"damage"});
    for (std::uint64_t count = seed % 3; count > 0; --count) {
      corrupt_once(events, random);
    }
    const FastVerdict verdict = fast_verdict(model(), events);
    ++answers[static_cast<std::size_t>(verdict.answer)];
    if (verdict.answer != FastAnswer::search) {
      ASSERT_EQ(verdict.answer == FastAnswer::linearizable,
                general_answer(model(), events) == Answer::linearizable)
          << seed;
    }
  }
  EXPECT_GT(answers[static_cast<std::size_t>(FastAnswer::linearizable)], random_histories() / 15);
  EXPECT_GT(answers[static_cast<std::size_t>(FastAnswer::violated)], random_histories() / 100);
}

INSTANTIATE_TEST_SUITE_P(Models, LongHistories, ::testing::Values("owner-mutex", "fenced-mutex"),
                         [](const auto& tested) { return tested.param.substr(0, tested.param.find('-')); });

TEST(LongHistory, ComesBackFromJsonLinesAsItWas) {
  LongHistoryOptions options;
  options.operations = 500;
  options.unknown = 50;
  options.tokens = true;
  const Made made = make(options);
  std::string text;
  for (const CallEvent& event : made.events) {
    append_jsonl(text, event);
  }
  testing_history::Recorder read;
  Source source = Source::from_text(text, "a long history");
  const HistoryResult result = read_history(source, HistoryFormat::automatic, {}, read);
  ASSERT_TRUE(std::holds_alternative<HistorySummary>(result)) << std::get<std::string>(result);

  // The reader numbers clients as they appear, and anew when they come back from death.
  std::vector<std::string> expected;
  std::vector<std::string> names;
  std::map<ClientNumber, ClientNumber> alive;
  for (CallEvent event : made.events) {
    const ClientNumber made_as = event.client;
    const auto [found, is_new] = alive.emplace(made_as, static_cast<ClientNumber>(names.size()));
    if (is_new) {
      names.push_back("c" + std::to_string(made_as + 1));
    }
    event.client = found->second;
    expected.push_back(testing_history::to_text(event));
    if (event.type == CallEventType::ended) {
      alive.erase(found);
    }
  }
  EXPECT_EQ(std::get<HistorySummary>(result).client_names, names);
  EXPECT_EQ(read.calls, expected);
  EXPECT_EQ(read.events.back().time, made.events.back().time);
  EXPECT_EQ(read.events.back().line, made.events.back().line);
}

}  // namespace long_history_test
}  // namespace holdfast::linear
