// A log comes back as it was written; each way to damage one is a row of a table; a replay follows its log
// and says where a run leaves it.
#include "harness/explore/choice_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace holdfast {
namespace {

using ::testing::HasSubstr;

ChoiceLog sample() {
  ChoiceLog log;
  log.scenario_json = "{\n  \"title\": \"two\\nlines, and ü\"\n}\n";
  log.scenario_name = "family-pause";
  log.lock = "redis-px-cad";
  log.seed = UINT64_MAX;
  log.placement = Placement{1, "c1", 12};
  log.fingerprint = 0x0123456789abcdefULL;
  log.choices = {
      {"latency", 1, 3, 8, 7}, {"random", 2, 1, UINT64_MAX, UINT64_MAX - 1}, {"latency", 1, 3, 8, 0}};
  return log;
}

class ChoiceLogFile : public ::testing::Test {
 protected:
  void SetUp() override {
    directory_ = ::testing::TempDir() + "holdfast_choice_log_" +
                 ::testing::UnitTest::GetInstance()->current_test_info()->name();
    std::filesystem::remove_all(directory_);
    std::filesystem::create_directories(directory_);
    path_ = directory_ + "/run.log";
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  std::string content() const {
    const std::ifstream file(path_, std::ios::binary);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
  }
  std::string sentence_about(const std::string& damaged) const {
    std::ofstream(path_, std::ios::binary) << damaged;
    try {
      read_choice_log(path_);
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "(no error)";
  }

  std::string directory_;
  std::string path_;
};

TEST_F(ChoiceLogFile, ComesBackAsItWasWritten) {
  const ChoiceLog written = sample();
  write_choice_log(path_, written);
  const ChoiceLog read = read_choice_log(path_);
  EXPECT_EQ(read.scenario_json, written.scenario_json);
  EXPECT_EQ(read.scenario_name, written.scenario_name);
  EXPECT_EQ(read.lock, written.lock);
  EXPECT_EQ(read.seed, written.seed);
  EXPECT_EQ(read.fingerprint, written.fingerprint);
  ASSERT_TRUE(read.placement);
  EXPECT_EQ(read.placement->fault, 1U);
  EXPECT_EQ(read.placement->process, "c1");
  EXPECT_EQ(read.placement->ordinal, 12U);
  ASSERT_EQ(read.choices.size(), 3U);
  EXPECT_EQ(read.choices[1].stream, "random");
  EXPECT_EQ(read.choices[1].first, 2U);
  EXPECT_EQ(read.choices[1].second, 1U);
  EXPECT_EQ(read.choices[1].options, UINT64_MAX);
  EXPECT_EQ(read.choices[1].picked, UINT64_MAX - 1);
}

TEST_F(ChoiceLogFile, MayHaveNoPlacementAndNoChoices) {
  ChoiceLog log = sample();
  log.placement.reset();
  log.choices.clear();
  write_choice_log(path_, log);
  const ChoiceLog read = read_choice_log(path_);
  EXPECT_FALSE(read.placement);
  EXPECT_TRUE(read.choices.empty());
}

TEST_F(ChoiceLogFile, LeavesNothingElseBehindAndReplacesAnOldOne) {
  write_choice_log(path_, sample());
  const std::string first = content();
  write_choice_log(path_, sample());
  EXPECT_EQ(content(), first);
  const auto entries = std::filesystem::directory_iterator(directory_);
  EXPECT_EQ(std::distance(begin(entries), end(entries)), 1);
}

TEST_F(ChoiceLogFile, SaysWhenItCannotBeWritten) {
  try {
    write_choice_log(directory_ + "/missing/run.log", sample());
    FAIL() << "written";
  } catch (const std::runtime_error& error) {
    EXPECT_THAT(error.what(), HasSubstr("missing/run.log: No such file"));
  }
  EXPECT_THROW(write_choice_log(directory_, sample()), std::runtime_error);
}

TEST_F(ChoiceLogFile, IsWrittenToADeviceAsItStands) {
  std::filesystem::create_symlink("/dev/null", path_);
  write_choice_log(path_, sample());
  EXPECT_TRUE(std::filesystem::is_symlink(path_));
  std::filesystem::remove(path_);
  std::filesystem::create_symlink("/dev/full", path_);
  EXPECT_THROW(write_choice_log(path_, sample()), std::runtime_error);
  EXPECT_TRUE(std::filesystem::is_symlink(path_));
}

TEST_F(ChoiceLogFile, IsRefusedInOneSentenceWithFileAndLineWhenDamaged) {
  write_choice_log(path_, sample());
  const std::string good = content();
  const auto with = [&](const std::string& piece, const std::string& by) {
    std::string text = good;
    const std::size_t at = text.find(piece);
    EXPECT_NE(at, std::string::npos) << piece;
    return text.replace(at, piece.size(), by);
  };
  const std::pair<std::string, std::string> table[] = {
      {"", ":1: the file is empty"},
      {"garbage\n", ":1: this is not JSON"},
      {std::string(9'000'000, 'x'), ":1: the line is too long"},
      {"[]\n", ":1: this is no choice log"},
      {"{}\n", ":1: this is no choice log"},
      {with("holdfast-choices", "holdfast-history"), ":1: this is no choice log"},
      {with("\"version\":1", "\"version\":2"), ":1: version: expected 1"},
      {with("\"version\":1", "\"versio\":1"), ":1: the field \"version\" is missing"},
      {with("\"lock\":\"redis-px-cad\"", "\"lock\":5"), ":1: lock: expected a text"},
      {with("\"seed\":18446744073709551615", "\"seed\":-1"), ":1: seed: expected a whole number"},
      {with("\"seed\":18446744073709551615", "\"seed\":18446744073709551616"), ":1: seed: expected"},
      {with("0123456789abcdef", "123"), ":1: fingerprint: expected 16"},
      {with("0123456789abcdef", "0123456789abcdeg"), ":1: fingerprint: expected 16"},
      {with("\"fault\":1", "\"fault\":\"1\""), ":1: placement.fault: expected"},
      {with("\"choices\":3", "\"choices\":4"), ":5: the file ends after 3 of the 4 choices"},
      {with("\"choices\":3", "\"choices\":2"), ":4: expected the end of the file after 2 choices"},
      {with("\"choices\":3", "\"choices\":99999999999"), ":1: choices: expected at most"},
      {with("[\"random\",2", "[2"), ":3: expected [\"stream\""},
      {with("[\"random\",2,1", "[\"random\",2,-1"), ":3: second: expected a whole number"},
      {with("[\"random\",2,1", "[\"random\",4294967296,1"), ":3: first: expected a whole number"},
      {with("8,7]", "8,8]"), ":2: picked: 8 is not below the 8 options"},
      {good.substr(0, good.size() - 3), ":4: the line has no end"},
      {good.substr(0, 20), ":1: the line has no end"},
      {with("\"latency\"", "\"" + std::string(600, 'l') + "\""), ":2: the line is too long"},
      {with("\"latency\"", "\"\xff\""), ":2: this is not JSON"},
  };
  for (const auto& [damaged, expected] : table) {
    const std::string sentence = sentence_about(damaged);
    EXPECT_EQ(sentence.find(path_ + expected), 0U) << sentence << "\n  expected " << expected;
    EXPECT_EQ(sentence.find('\n'), std::string::npos);
  }
  EXPECT_THROW(read_choice_log(directory_ + "/none"), std::runtime_error);
  EXPECT_THROW(read_choice_log(directory_), std::runtime_error);
}

// Asks what `sample` answers, through the door that runs use.
struct Replayed {
  explicit Replayed(const ChoiceLog& log) : strategy(log) { choices.reset(strategy); }
  ReplayStrategy strategy;
  Choices choices;
};

TEST(ReplayStrategy, AnswersAsTheLogDoes) {
  const ChoiceLog log = sample();
  Replayed replay(log);
  const StreamId latency = replay.choices.open({"latency", 1, 3});
  const StreamId random = replay.choices.open({"random", 2, 1});
  EXPECT_EQ(replay.choices.choose(latency, 8), 7U);
  EXPECT_EQ(replay.choices.choose(random, UINT64_MAX), UINT64_MAX - 1);
  EXPECT_EQ(replay.choices.choose(latency, 1), 0U);  // no choice, not in the log
  EXPECT_THAT(replay.strategy.divergence(), HasSubstr("the run ended after 2 of the log's 3 choices"));
  EXPECT_EQ(replay.choices.choose(latency, 8), 0U);
  EXPECT_EQ(replay.strategy.divergence(), "");
}

TEST(ReplayStrategy, SaysWhereTheRunLeavesTheLogAndAnswersZeroFromThere) {
  const ChoiceLog log = sample();
  Replayed other_options(log);
  const StreamId latency = other_options.choices.open({"latency", 1, 3});
  EXPECT_EQ(other_options.choices.choose(latency, 9), 0U);
  EXPECT_EQ(
      other_options.strategy.divergence(),
      "choice 1 of the log is latency(1,3) of 8 options, but the run asks for latency(1,3) of 9 options");
  EXPECT_EQ(other_options.choices.choose(latency, 8), 0U);

  Replayed other_stream(log);
  EXPECT_EQ(other_stream.choices.choose(other_stream.choices.open({"latency", 3, 1}), 8), 0U);
  EXPECT_THAT(other_stream.strategy.divergence(), HasSubstr("latency(3,1)"));
}

TEST(ReplayStrategy, SaysWhenTheRunGoesOnAfterTheLog) {
  ChoiceLog log = sample();
  log.choices.resize(1);
  Replayed replay(log);
  const StreamId latency = replay.choices.open({"latency", 1, 3});
  EXPECT_EQ(replay.choices.choose(latency, 8), 7U);
  EXPECT_EQ(replay.choices.choose(latency, 8), 0U);
  EXPECT_THAT(replay.strategy.divergence(), HasSubstr("the log ends after 1 choices"));
}

}  // namespace
}  // namespace holdfast
