// The search in one pass against the general one, on random small histories of every lock: full of refused
// attempts, of outcomes that nobody knows, of clients that end. It answers the same, or that it does not
// know.
#include "harness/check/linear/stream_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "harness/check/linear/random_property.h"
#include "harness/check/linear/test_histories.h"
#include "harness/check/linear/test_verdicts.h"
#include "harness/check/linear/written_history.h"

namespace holdfast::linear {
namespace stream_check_test {

FastVerdict stream_verdict(const AnyModel& model, const std::vector<CallEvent>& events,
                           Reading reading = {}) {
  const std::unique_ptr<StreamCheck> check = make_stream_check(model, reading);
  for (Position position = 0; position < events.size(); ++position) {
    check->observe(events[position], position);
  }
  return check->verdict();
}

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
  std::uint64_t undecided = 0;
};

Agreement compare(const std::string& name, std::uint64_t histories, const GenerateOptions& options) {
  const AnyModel model = model_called(name);
  Agreement agreement;
  expect_of_random_histories(histories, [&](const RandomCase& one) -> std::string {
    const std::vector<CallEvent> events = one.events(model, options);
    const FastVerdict verdict = stream_verdict(model, events);
    if (verdict.answer == FastAnswer::search) {
      ++agreement.undecided;
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

class Stream : public ::testing::TestWithParam<std::string> {};

TEST_P(Stream, AgreesWithTheGeneralChecker) {
  const Agreement agreement = compare(GetParam(), random_histories(), {});
  EXPECT_GT(agreement.legal, random_histories() / 5);
  EXPECT_GT(agreement.illegal, random_histories() / 20);
  EXPECT_LT(agreement.undecided, random_histories() / 50);
}

TEST_P(Stream, AgreesWhereMuchIsUnknown) {
  const GenerateOptions options{
      .clients_min = 2, .clients_max = 4, .info = 300, .fail = 60, .ended = 40, .corrupted = 500};
  const Agreement agreement = compare(GetParam(), random_histories(), options);
  EXPECT_LT(agreement.undecided, random_histories() / 10);
}

TEST_P(Stream, AgreesOnLongerHistoriesAndSeldomNeedsASearch) {
  const GenerateOptions options{.clients_min = 3,
                                .clients_max = 6,
                                .calls_min = 20,
                                .calls_max = 40,
                                .info = 10,
                                .fail = 10,
                                .ended = 2,
                                .corrupted = 300};
  const std::uint64_t count = std::max<std::uint64_t>(random_histories() / 50, 500);
  EXPECT_LT(compare(GetParam(), count, options).undecided, count / 20);
}

INSTANTIATE_TEST_SUITE_P(Models, Stream,
                         ::testing::Values("mutex", "owner-mutex", "reentrant-mutex", "fenced-mutex",
                                           "reentrant-fenced-mutex", "fifo-mutex", "rw-lock", "semaphore:2",
                                           "semaphore:3"),
                         [](const auto& tested) {
                           std::string name = tested.param;
                           std::ranges::replace_if(
                               name, [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
                           return name;
                         });

}  // namespace stream_check_test
}  // namespace holdfast::linear
