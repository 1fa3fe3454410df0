#include "harness/cli/story/told_run.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace holdfast::cli {
namespace {

LockEntry lock_with_lease(std::string_view id, Duration ttl) {
  LockEntry entry;
  entry.id = id;
  entry.ttl = ttl;
  return entry;
}
const LockEntry lock = lock_with_lease("redis-px-cad", 10s);

class ToldRunTest : public testing::Test {
 protected:
  ToldRunTest() {
    scenario_.name = "gc-pause-write";
    scenario_.title = "A pause outlives the lease";
    scenario_.lock = "redis-px-cad";
    run_.scenario = &scenario_;
    run_.lock = &lock;
    run_.replay_command = "holdfast run gc-pause-write";
    run_.report.letter = Letter::violated;
    run_.report.true_time = 15003ms;
    run_.report.fingerprint = 0xabc;
    run_.report.verdicts = {{"mutual exclusion", Judgement::violated, "c1 and c2 both held it", {3, 7}},
                            {"tokens", Judgement::not_checked, "", {}},
                            {"progress", Judgement::holds, "at once", {}}};
  }

  Scenario scenario_;
  ToldRun run_;
};

TEST_F(ToldRunTest, IntroducesWhatIsRun) {
  EXPECT_EQ(introduction(run_, Terminal{}),
            "gc-pause-write, redis-px-cad, seed 1\nA pause outlives the lease\n\n");
}

TEST_F(ToldRunTest, CountsTheRunsOfAFamily) {
  run_.sweep = Cell{};
  run_.sweep->letter = Letter::violated;
  run_.sweep->runs = 10;
  run_.sweep->runs_by_letter[static_cast<std::size_t>(Letter::violated)] = 3;
  run_.sweep->runs_by_letter[static_cast<std::size_t>(Letter::safe)] = 7;
  EXPECT_NE(introduction(run_, Terminal{}).find("10 runs: 3 V, 7 S. This is the first V.\n"),
            std::string::npos);
}

TEST_F(ToldRunTest, TellsBothLettersOfALiveRunAndWhetherTheyAgree) {
  run_.live =
      LiveSide{.sim = Letter::violated, .servers = "redis-server 7.0.15", .speed_up = 20, .why_slower = {}};
  EXPECT_NE(conclusion(run_, Terminal{})
                .find("  servers      redis-server 7.0.15, all durations divided by 20 to take less time\n"
                      "  letters      live V, sim V: they agree\n"),
            std::string::npos);
  run_.report.letter = Letter::safe;
  EXPECT_FALSE(run_.live->agrees_with(run_.letter()));
  EXPECT_NE(conclusion(run_, Terminal{}).find("  letters      live S, sim V: they differ ("),
            std::string::npos);
  EXPECT_FALSE(run_.live->is_undecided_with(run_.letter()));
  EXPECT_EQ(nlohmann::json::parse(to_json_text(run_))["live"]["agrees"], false);
  run_.report.letter = Letter::undecided;
  EXPECT_TRUE(run_.live->is_undecided_with(run_.letter()));
  EXPECT_NE(conclusion(run_, Terminal{}).find("  letters      live U, sim V: they differ ("),
            std::string::npos);
}

TEST_F(ToldRunTest, TellsWhyALiveRunTookItsTime) {
  run_.live = LiveSide{.sim = Letter::violated,
                       .servers = "redis-server 7.0.15",
                       .speed_up = 1,
                       .why_slower = "my-lock asks for a lease of 10 s, whatever its settings say"};
  EXPECT_NE(conclusion(run_, Terminal{})
                .find("redis-server 7.0.15, at the pace of the story: my-lock asks for a lease of 10 s, "
                      "whatever its settings say\n"),
            std::string::npos);
  EXPECT_EQ(nlohmann::json::parse(to_json_text(run_))["live"]["why_slower"], run_.live->why_slower);
}

TEST_F(ToldRunTest, ConcludesWithVerdictsLetterFingerprintAndReplay) {
  run_.expected = Letter::violated;
  EXPECT_EQ("\n" + conclusion(run_, Terminal{}), R"(

  ✗ mutual exclusion  c1 and c2 both held it
  – tokens            not checked
  ✓ progress          at once

  V  violated: two holders, and the resource is not protected (as expected)

  ended        finished after 15.003 s, 0 events, 0 grants, 0 commands
  fingerprint  0000000000000abc
  replay       holdfast run gc-pause-write
)");
}

TEST_F(ToldRunTest, SaysWhatWasExpectedInstead) {
  run_.expected = Letter::safe;
  EXPECT_FALSE(run_.as_expected());
  EXPECT_NE(conclusion(run_, Terminal{}).find("not protected (expected S)"), std::string::npos);
}

TEST_F(ToldRunTest, SaysWhereTheLetterCannotBeSeen) {
  run_.report.shows_its_letter = false;
  EXPECT_NE(conclusion(run_, Terminal{}).find("is not protected; in this run nothing came of it"),
            std::string::npos);
  EXPECT_EQ(nlohmann::json::parse(to_json_text(run_)).at("sentence"), sentence_of(Letter::violated, false));
  run_.report.letter = Letter::fenced;
  EXPECT_NE(
      conclusion(run_, Terminal{}).find("the stale one; in this run no stale write came to be rejected"),
      std::string::npos);
  EXPECT_EQ(sentence_of(Letter::fenced, true), to_sentence(Letter::fenced));
  EXPECT_EQ(sentence_of(Letter::stuck_bounded, false), to_sentence(Letter::stuck_bounded));
}

TEST_F(ToldRunTest, IsAlsoJson) {
  const auto json = nlohmann::json::parse(to_json_text(run_));
  EXPECT_EQ(json.at("letter"), "V");
  EXPECT_EQ(json.at("fingerprint"), "0000000000000abc");
  EXPECT_EQ(json.at("verdicts").at(0).at("witness"), nlohmann::json({3, 7}));
  EXPECT_TRUE(json.at("expected").is_null());
}

TEST_F(ToldRunTest, SaysWhichFaultNeverStruckAndWhereItWaited) {
  FaultSpec by_step;
  by_step.fault = "gc-pause";
  by_step.on = "c1";
  by_step.at.process = "c1";
  by_step.at.phase = Phase::applied;
  by_step.at.name = "SET";
  by_step.at.nth = 2;
  FaultSpec by_time = by_step;
  by_time.at.time = ScenarioDuration{500ms, 1000};
  scenario_.faults = {by_step, by_time};
  EXPECT_EQ(
      never_struck(run_, 0),
      "fault 1 of gc-pause-write (gc-pause on c1) never struck: c1 never came to applied \"SET\", time 2");
  EXPECT_EQ(
      never_struck(run_, 1),
      "fault 2 of gc-pause-write (gc-pause on c1) never struck: the run was over before true time 10.500 s");
}

TEST_F(ToldRunTest, SaysThatAPlacedFaultNeverStruck) {
  run_.placement = Placement{0, "c1", 99};
  EXPECT_EQ(never_struck(run_, 0),
            "the fault placed at 1@c1:99 never struck: c1 takes fewer steps in this run");
}

}  // namespace
}  // namespace holdfast::cli
