// How: findings are made by exploring, some of them bent so that they cannot be shrunk or do not come out
// again; every file that is written is read and run.
#include "harness/explore/exploration/exploration.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "faults/catalog.h"
#include "harness/explore/exploration/exploration_json.h"
#include "harness/explore/logged_run.h"
#include "harness/explore/test_target.h"
#include "harness/run/test_broken_lock.h"
#include "locks/lookup/lookup.h"

namespace holdfast {
namespace exploration_test {

namespace fs = std::filesystem;

class ExploreReport : public testing::Test {
 protected:
  ExploreReport()
      : folder_(fs::path(testing::TempDir()) / ("holdfast-report-" + std::to_string(::getpid()))) {
    fs::create_directories(folder_);
  }
  ~ExploreReport() override { fs::remove_all(folder_); }

  ExploredTarget explored(const std::string& lock, const std::string& strategy = "swarm",
                          std::uint64_t runs = 500) {
    ExploredTarget result;
    result.name.lock = lock;
    result.name.scenario = usual_scenario;
    result.name.strategy = strategy;
    result.name.clients = usual_clients(*find_explorer(strategy));
    result.name.rounds = 1;
    result.name.most_faults = usual_faults(*find_explorer(strategy));
    result.result = explore(targets_.target(result.name), strategy, runs);
    return result;
  }

  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_ / "findings")) {
      names.push_back(entry.path().filename().string());
    }
    std::ranges::sort(names);
    return names;
  }

  void expect_replays(const std::string& file, Letter letter) const {
    const LoggedRun logged((folder_ / "findings" / file).string());
    ReplayStrategy strategy(logged.log());
    RunRequest request = logged.request();
    request.strategy = &strategy;
    Simulation simulation;
    const RunReport report = simulation.run(request);
    EXPECT_EQ(report.letter, letter) << file;
    EXPECT_NO_THROW(logged.require_same(report, strategy.divergence())) << file;
  }

  fs::path folder_;
  Shelf shelf_{std::string(HOLDFAST_SOURCE_DIR "/scenarios")};
  TargetShelf targets_{shelf_};
};

// A message that is late where there is none: the shrinker takes that for another story than the one that
// was found.
FaultSpec misplaced_fault() {
  FaultSpec fault;
  fault.fault = "delay";
  set_option(fault, "by", ScenarioDuration{1ms, 0});
  fault.on = "c1";
  fault.at.process = "c1";
  fault.at.ordinal = 1;
  return fault;
}

void keep_only(ExploredTarget& target, Letter letter) {
  std::erase_if(target.result.findings, [&](const auto& finding) { return finding.letter != letter; });
  ASSERT_FALSE(target.result.findings.empty());
  target.result.findings.resize(1);
}

TEST_F(ExploreReport, EveryKindOfFindingIsToldOnceBySmallest) {
  std::vector<ExploredTarget> targets{explored("redis-px-cad", "swarm", 3000)};
  const std::size_t kept = targets.front().result.findings.size();
  report_findings(targets, targets_, folder_.string(), 2, [](std::size_t, std::size_t) {});
  std::set<std::pair<Letter, std::string>> kinds;
  for (const ReportedFinding& found : targets.front().findings) {
    const std::string each = kinds_text(found.story.scenario.faults, "+");
    EXPECT_TRUE(kinds.insert({found.story.letter, each}).second) << each;
    EXPECT_EQ(found.story.scenario.name,
              "redis-px-cad--swarm--" + std::string(to_text(found.story.letter)) + "--" + each);
  }
  EXPECT_GT(kinds.size(), 4U);  // and not one a letter
  EXPECT_LE(kinds.size(), kept);
  EXPECT_TRUE(kinds.contains({Letter::violated, "gc-pause"}));
  for (const std::string& file : files()) {
    if (file.ends_with(".log")) {
      expect_replays(file,
                     file.find("--V--") != std::string::npos ? Letter::violated : Letter::stuck_bounded);
    }
  }
}

TEST_F(ExploreReport, WhatNeedsNoFaultSaysSo) {
  std::vector<ExploredTarget> targets{explored("redis-setex", "swarm", 100)};
  report_findings(targets, targets_, folder_.string(), 1, [](std::size_t, std::size_t) {});
  ASSERT_FALSE(targets.front().findings.empty());
  EXPECT_EQ(targets.front().findings.front().story.scenario.name, "redis-setex--swarm--V--no-fault");
}

TEST_F(ExploreReport, WhatCannotBeShrunkIsWrittenAsItWasFound) {
  std::vector<ExploredTarget> targets{explored("redis-px-cad")};
  keep_only(targets.front(), Letter::violated);
  targets.front().result.findings.front().faults.push_back(misplaced_fault());
  report_findings(targets, targets_, folder_.string(), 1, [](std::size_t, std::size_t) {});
  ASSERT_EQ(targets.front().findings.size(), 1U);
  const ReportedFinding& found = targets.front().findings.front();
  EXPECT_FALSE(found.is_shrunk);
  ASSERT_EQ(files(), std::vector<std::string>{found.story.scenario.name + ".log"});
  expect_replays(files().front(), Letter::violated);
  EXPECT_EQ(found.command_in_directory, "holdfast replay findings/" + files().front());
  const auto json = nlohmann::json::parse(exploration_json(targets, CommandPaths::in_directory));
  EXPECT_EQ(json.at("targets").at(0).at("findings").at(0).at("shrunk"), false);
}

TEST_F(ExploreReport, WhatDoesNotComeOutAgainIsABugOfOurs) {
  std::vector<ExploredTarget> targets{explored("redis-px-cad")};
  keep_only(targets.front(), Letter::violated);
  targets.front().result.findings.front().faults.clear();
  targets.front().result.findings.front().run = 77;
  report_findings(targets, targets_, folder_.string(), 1, [](std::size_t, std::size_t) {});
  EXPECT_TRUE(targets.front().findings.empty());
  EXPECT_TRUE(files().empty());
  EXPECT_TRUE(not_reproduced_text(targets.front().name, targets.front().not_reproduced.at(0))
                  .starts_with("redis-px-cad by swarm, run 77: its V did not come out again"));
  const auto json = nlohmann::json::parse(exploration_json(targets, CommandPaths::in_directory));
  EXPECT_EQ(json.at("targets").at(0).at("not_reproduced").at(0).at("run"), 77);
}

TEST_F(ExploreReport, TargetsThatDifferOnlyInNumbersOverwriteNothing) {
  std::vector<ExploredTarget> targets(3, explored("redis-px-cad"));
  for (ExploredTarget& target : targets) {
    keep_only(target, Letter::violated);
  }
  targets[1].name.seed = 5;
  targets[2].name.most_faults = 3;
  report_findings(targets, targets_, folder_.string(), 2, [](std::size_t, std::size_t) {});
  const std::string first = targets[0].findings.at(0).story.scenario.name;
  EXPECT_EQ(targets[1].findings.at(0).story.scenario.name, first + "--seed5");
  EXPECT_EQ(targets[2].findings.at(0).story.scenario.name, first + "-2");
  for (const ExploredTarget& target : targets) {
    EXPECT_TRUE(fs::exists(folder_ / "findings" / (target.findings[0].story.scenario.name + ".log")));
  }
}

TEST_F(ExploreReport, FileNamesHaveTheScenarioIfItIsNotTheUsualOne) {
  PieceName name = explored("redis-px-cad", "swarm", 1).name;
  ShrunkFinding story;
  story.letter = Letter::violated;
  story.scenario.faults = {menu_fault("gc-pause", "c1"), menu_fault("crash", "c1")};
  EXPECT_EQ(story_name(name, story), "redis-px-cad--swarm--V--crash+gc-pause");
  name.scenario = "some where/my story.json";
  name.seed = 9;
  EXPECT_EQ(story_name(name, story), "redis-px-cad--swarm--V--crash+gc-pause--my_story--seed9");
  story.scenario.faults.assign(16, menu_fault("server-restart", "redis"));
  EXPECT_LT(story_name(name, story).size(), 200U);
}

TEST_F(ExploreReport, CommandsHaveEveryOptionThatIsNotAsUsual) {
  PieceName name = explored("redis-px-cad", "swarm", 1).name;
  EXPECT_EQ(RunCommands(name, targets_).of(7),
            "holdfast explore --lock redis-px-cad --strategy swarm --run 7 "
            "--scenarios " HOLDFAST_SOURCE_DIR "/scenarios");
  name.scenario = "family-pause";
  name.seed = 2;
  name.clients = 4;
  name.rounds = 3;
  name.most_faults = 0;
  EXPECT_EQ(RunCommands(name, targets_).of(7),
            "holdfast explore --lock redis-px-cad --strategy swarm --run 7 --scenario family-pause --seed 2 "
            "--clients 4 --rounds 3 --faults 0 --scenarios " HOLDFAST_SOURCE_DIR "/scenarios");
  name.scenario = "gc-pause-write";  // has clients of its own
  name.most_faults = 2;
  EXPECT_EQ(
      RunCommands(name, targets_).of(7),
      "holdfast explore --lock redis-px-cad --strategy swarm --run 7 --scenario gc-pause-write --seed 2 "
      "--scenarios " HOLDFAST_SOURCE_DIR "/scenarios");
}

// As run_pieces() asks for it; that the command line takes such commands is for its own tests (cli_test.cpp).
TEST_F(ExploreReport, ABugInARunNamesTheOneRunThatMeetsItAgain) {
  const LockEntry lock = broken_lock<SometimesBrokenLock>("redis-px-cad");
  const TypedInTest typed("holdfast explore --for 1min");
  const ReplayScope scope(typed);
  for (const ExplorerEntry& explorer : all_explorers()) {
    const PieceName name = explored("redis-px-cad", std::string(explorer.name), 1).name;
    ExploreTarget target = targets_.target(name);
    target.lock = &lock;
    const RunCommands commands(name, targets_);
    PieceRequest request;
    request.target = &target;
    request.explorer = &explorer;
    request.count = 10'000;
    request.command = [&](std::uint64_t run) { return commands.of(run); };
    Simulation simulation;
    const std::string sentence = broken_by([&] { explore_piece(simulation, request); });
    const std::size_t at = sentence.find("--run ");
    ASSERT_NE(at, std::string::npos) << sentence;
    const std::uint64_t run = std::stoull(sentence.substr(at + 6));
    EXPECT_TRUE(
        sentence.ends_with("; to see it again: " + commands.of(run) + ", within holdfast explore --for 1min"))
        << sentence;
    EXPECT_GT(run, 0U) << explorer.name << ": one that breaks only some runs is meant";
    EXPECT_EQ(broken_by([&] { explore_run(simulation, request, run); }), sentence);
    EXPECT_EQ(broken_by([&] { explore_run(simulation, request, run - 1); }), "nothing was broken");
  }
}

TEST_F(ExploreReport, ABugWhileAFindingIsShrunkNamesTheRunThatItWasFoundIn) {
  std::vector<ExploredTarget> targets{explored("redis-px-cad")};
  keep_only(targets.front(), Letter::violated);
  ExploreFinding& finding = targets.front().result.findings.front();
  FaultSpec& backwards = finding.faults.emplace_back(menu_fault("clock-drift", "redis"));
  backwards.at.time = ScenarioDuration{};
  set_option(backwards, "parts_per_million", std::int64_t{-3'000'000});  // which no reader of files lets in
  const std::string sentence =
      broken_by([&] { report_findings(targets, targets_, "", 2, [](std::size_t, std::size_t) {}); });
  EXPECT_TRUE(
      sentence.ends_with("; to see it again: " + RunCommands(targets.front().name, targets_).of(finding.run)))
      << sentence;
}

// What no run of a design can come to is not said of it; what it can come to, some run does.
TEST_F(ExploreReport, NamesOnlyWhatCouldHaveBeenReached) {
  const auto missing = [](ExploredTarget target) {
    return nlohmann::json::parse(exploration_json({std::move(target)}, CommandPaths::as_given))
        .at("never_reached")
        .get<std::set<std::string>>();
  };
  for (const char* lock : {"redis-getset", "redis-hash-reentrant", "redis-px-cad-wait", "redlock-majority",
                           "redisson-multi", "redisson-semaphore", "mutant-rlock-message-only"}) {
    ExploredTarget target = explored(lock, "swarm", 500);
    std::set<std::string> found = missing(target);
    found.erase("a lease was renewed in time");  // takes more runs
    EXPECT_EQ(found, std::set<std::string>()) << lock;
    target.result.marks = 0;
    EXPECT_EQ(missing(target).contains("a waiter was woken by a published message"),
              find_lock(lock)->features.woken)
        << lock;
    EXPECT_FALSE(missing(target).empty()) << lock;
  }
}

}  // namespace exploration_test
}  // namespace holdfast
