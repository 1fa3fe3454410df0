// Tells of hand-made explorations; nothing is run.
#include "harness/cli/explore/exploration_text.h"

#include <gtest/gtest.h>

namespace holdfast::cli::exploration_text_test {

ExploredTarget target_of(const std::string& strategy, std::uint32_t clients) {
  ExploredTarget target;
  target.name.lock = "redis-px-cad";
  target.name.scenario = usual_scenario;
  target.name.strategy = strategy;
  target.name.clients = clients;
  target.name.rounds = 1;
  target.name.most_faults = 1;
  return target;
}

TEST(ExplorationText, SaysWhatAllOfThemMeans) {
  std::vector<ExploredTarget> targets{target_of("exhaustive", 2)};
  targets.front().result.runs = 12;
  targets.front().result.has_every_run = true;
  targets.front().result.runs_by_letter[static_cast<std::size_t>(Letter::safe)] = 12;
  EXPECT_NE(
      exploration_text(targets, {}, {})
          .find(
              "  no violation within: 2 clients, 1 round, 1 fault, 12 schedules, all of them but for "
              "other times of messages than the one that all take; other shapes of work than the plain one; "
              "other turns of the threads of a process; other numbers than those that a lock drew at random; "
              "faults that are not on the "
              "menu, or last longer or shorter; faults between two steps; faults after the 200th step of "
              "a process\n"),
      std::string::npos);
  targets.front().name.strategy = "every-step";
  targets.front().name.clients = 3;
  EXPECT_NE(exploration_text(targets, {}, {})
                .find("  no violation with each fault at each step: 3 clients, 1 fault, 12 runs, all of "
                      "them but for other times and orders of messages than those of seed 1; "),
            std::string::npos);
  ++targets.front().result.runs;
  EXPECT_NE(exploration_text(targets, {}, {}).find("  all there is with each fault at each step: 3 clients"),
            std::string::npos);
}

TEST(ExplorationText, TellsWhatCouldNotBeShrunkAndWhatDidNotComeOutAgain) {
  std::vector<ExploredTarget> targets{target_of("swarm", 3)};
  ReportedFinding found;
  found.is_shrunk = false;
  targets.front().findings.push_back(found);
  ExploreFinding lost;
  lost.letter = Letter::violated;
  lost.run = 77;
  targets.front().not_reproduced.push_back(lost);
  const std::string text = exploration_text(targets, {}, {});
  EXPECT_NE(text.find("(could not be shrunk)"), std::string::npos) << text;
  EXPECT_NE(text.find("  redis-px-cad by swarm, run 77: its V did not come out again"), std::string::npos)
      << text;
}

}  // namespace holdfast::cli::exploration_text_test
