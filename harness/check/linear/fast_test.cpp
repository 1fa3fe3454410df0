// The fast checks against the general one, on random small histories of every model that has one: they agree,
// or the fast one says that it does not know, which is rare. Broken fast checks are found out. Then, by hand,
// what each verdict says.
#include "harness/check/linear/fast.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "harness/check/linear/random_property.h"
#include "harness/check/linear/test_histories.h"
#include "harness/check/linear/test_verdicts.h"

namespace holdfast::linear {
namespace fast_test {

using ::testing::SizeIs;

std::string in_words(const std::vector<CallEvent>& events) {
  std::string words;
  const char* const types[] = {"invoke", "ok", "fail", "info", "ended"};
  for (Position position = 0; position < events.size(); ++position) {
    const CallEvent& event = events[position];
    words += std::to_string(position) + ": " + std::to_string(event.client) + " " +
             types[static_cast<int>(event.type)] + " " + std::string(to_text(event.action)) +
             (event.mode == Mode::shared ? " shared" : "") + (event.refused ? " refused" : "") +
             (event.token ? " token " + std::to_string(*event.token) : "") + "\n";
  }
  return words;
}

struct Agreement {
  std::uint64_t legal = 0;
  std::uint64_t illegal = 0;
  std::uint64_t searched = 0;
};

Agreement compare(const AnyModel& model, std::uint64_t histories, const GenerateOptions& options) {
  Agreement agreement;
  expect_of_random_histories(histories, [&](const RandomCase& one) -> std::string {
    const std::vector<CallEvent> events = one.events(model, options);
    const FastVerdict verdict = fast_verdict(model, events);
    if (!verdict.problem.empty()) {
      return verdict.problem + "\n" + in_words(events);
    }
    if (verdict.answer == FastAnswer::search) {
      ++agreement.searched;
      return {};
    }
    const bool legal = general_answer(model, events) == Answer::linearizable;
    ++(legal ? agreement.legal : agreement.illegal);
    if ((verdict.answer == FastAnswer::linearizable) == legal) {
      return {};
    }
    return "cause " + std::to_string(static_cast<int>(verdict.cause)) + "\n" + in_words(events);
  });
  return agreement;
}

class Fast : public ::testing::TestWithParam<std::string> {};

TEST_P(Fast, AgreesWithTheGeneralChecker) {
  const Agreement agreement = compare(model_called(GetParam()), random_histories(), {});
  EXPECT_GT(agreement.legal, random_histories() / 5);
  EXPECT_GT(agreement.illegal, random_histories() / 20);
  EXPECT_LT(agreement.searched, random_histories() / 2);
  RecordProperty("searched", static_cast<int>(agreement.searched));
}

TEST_P(Fast, AgreesOnLongerHistoriesAndSeldomNeedsASearch) {
  const GenerateOptions options{.clients_min = 3,
                                .clients_max = 6,
                                .calls_min = 20,
                                .calls_max = 40,
                                .info = 10,
                                .fail = 10,
                                .ended = 2,
                                .corrupted = 300};
  const std::uint64_t count = std::max<std::uint64_t>(random_histories() / 50, 500);
  const Agreement agreement = compare(model_called(GetParam()), count, options);
  // Of a read-write lock, refused attempts are explained by open cores only.
  EXPECT_GT(agreement.legal + agreement.illegal, GetParam() == "rw-lock" ? count / 8 : count / 2);
}

INSTANTIATE_TEST_SUITE_P(Models, Fast,
                         ::testing::Values("mutex", "owner-mutex", "reentrant-mutex", "fenced-mutex",
                                           "reentrant-fenced-mutex", "fifo-mutex", "rw-lock", "semaphore:2",
                                           "latch:2"),
                         [](const auto& tested) {
                           std::string name = tested.param;
                           std::ranges::replace_if(
                               name, [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
                           return name;
                         });

}  // namespace fast_test
}  // namespace holdfast::linear
