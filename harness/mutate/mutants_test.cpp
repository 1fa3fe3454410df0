// How: every lock of the catalog is listened to; what is found has names of its own and is found again. Who
// listens changes nothing. Then mutants are run, and the servers' side of their story shows what is wrong.
#include "harness/mutate/mutants.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "harness/mutate/lock_watch.h"
#include "harness/run/test_scenario.h"
#include "harness/text/bad_input.h"

namespace holdfast {
namespace mutants_test {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

std::set<std::string> mutations_of(std::string_view lock) {
  std::set<std::string> ids;
  for (const auto& each : mutants_of(*find_lock(lock))) {
    ids.insert(each->mutation().words().id);
  }
  return ids;
}

// A run of the mutant with all that servers executed, as text, a line an event.
class Story {
 public:
  explicit Story(const std::string& mutant, const Scenario& scenario = plain_scenario()) {
    RunRequest request{
        .scenario = &scenario, .lock = &lock_or_mutant_called(mutant), .seed = 1, .placement = std::nullopt};
    request.details = true;
    report_ = simulation_.run(request);
    for (const Event& event : simulation_.history().events()) {
      lines_.push_back(to_json_line(event, simulation_.history()));
    }
  }

  Letter letter() const { return report_.letter; }
  // Of the lines with all these words.
  std::size_t count(const std::vector<std::string>& words) const {
    return static_cast<std::size_t>(std::ranges::count_if(lines_, [&](const std::string& line) {
      return std::ranges::all_of(
          words, [&](const std::string& word) { return line.find(word) != std::string::npos; });
    }));
  }
  const std::vector<std::string>& lines() const { return lines_; }

 private:
  Simulation simulation_;
  RunReport report_;
  std::vector<std::string> lines_;
};

class EveryLock : public testing::TestWithParam<std::string> {};

TEST_P(EveryLock, HasMutantsWithIdsOfTheirOwnAndWordsThatSaySomething) {
  const LockEntry& lock = *find_lock(GetParam());
  const MutatedEntries mutants = find_mutants(lock);
  EXPECT_FALSE(mutants.empty());
  std::set<std::string_view> ids;
  for (const auto& each : mutants) {
    const MutationWords& words = each->mutation().words();
    EXPECT_TRUE(ids.insert(each->entry().id).second) << each->entry().id;
    EXPECT_EQ(each->entry().id, std::string(lock.id) + "~" + words.id);
    EXPECT_EQ(each->entry().mutation, &each->mutation());
    for (const std::string& sentence : {words.sentence, words.equivalent_if, words.unexercised}) {
      EXPECT_FALSE(sentence.empty()) << words.id;
      EXPECT_EQ(sentence.find("{}"), std::string::npos) << sentence;
    }
  }
}

TEST_P(EveryLock, HasTheSameMutantsWhenItIsListenedToAgain) {
  const MutatedEntries first = find_mutants(*find_lock(GetParam()));
  const MutatedEntries second = find_mutants(*find_lock(GetParam()));
  ASSERT_EQ(first.size(), second.size());
  for (std::size_t index = 0; index < first.size(); ++index) {
    EXPECT_EQ(first[index]->entry().id, second[index]->entry().id);
    EXPECT_EQ(find_lock_or_mutant(first[index]->entry().id)->id, first[index]->entry().id);
  }
}

TEST_P(EveryLock, RunsAsEverWhileItIsListenedTo) {
  const LockEntry& lock = *find_lock(GetParam());
  const LockWatch watch(lock);
  LockEntry watched = lock;
  watched.mutation = &watch;
  const Mutation nothing({}, GeneralWrong::nothing, nullptr);
  LockEntry unchanged = lock;
  unchanged.mutation = &nothing;
  Scenario scenario = eventful_scenario();
  if (lock.needs.servers == 0) {
    scenario.faults.pop_back();  // the failover
  }
  if (!why_not_applicable(scenario, lock).empty()) {
    scenario = plain_scenario();
  }
  Simulation simulation;
  const auto fingerprint = [&](const LockEntry& entry) {
    return simulation.run({.scenario = &scenario, .lock = &entry, .seed = 7, .placement = std::nullopt})
        .fingerprint;
  };
  EXPECT_EQ(fingerprint(watched), fingerprint(lock));
  EXPECT_EQ(fingerprint(unchanged), fingerprint(lock));
}

// What is left of a script after something was taken out of it still is one.
TEST_P(EveryLock, HasNoMutantWhoseScriptTheServerDoesNotUnderstand) {
  const Scenario scenario = plain_scenario();
  for (const auto& each : mutants_of(*find_lock(GetParam()))) {
    if (each->mutation().words().id.starts_with("command-") ||
        each->mutation().words().id.starts_with("if-") || each->mutation().words().id.starts_with("cut@")) {
      const Story story{std::string(each->entry().id)};
      EXPECT_EQ(story.count({"Error compiling"}), 0U) << each->entry().id;
      EXPECT_EQ(story.count({"Error running"}), 0U) << each->entry().id;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Catalog, EveryLock, testing::ValuesIn([] {
                           std::vector<std::string> ids;
                           for (const LockEntry& lock : all_locks()) {
                             ids.emplace_back(lock.id);
                           }
                           return ids;
                         }()),
                         [](const auto& each) { return test_name(each.param); });

TEST(Mutants, AreMadeOnlyWhereTheyCanChangeSomething) {
  const std::set<std::string> px_cad = mutations_of("redis-px-cad");
  EXPECT_TRUE(px_cad.contains("without-NX@acquire:SET"));
  EXPECT_TRUE(px_cad.contains("cut@release:EVAL"));
  EXPECT_TRUE(px_cad.contains("old-id"));
  EXPECT_FALSE(px_cad.contains("without-XX@acquire:SET"));
  EXPECT_FALSE(px_cad.contains("only-first-server@acquire:SET")) << "there is only one";
  EXPECT_FALSE(px_cad.contains("token-kept")) << "it has no token";
  EXPECT_FALSE(px_cad.contains("process-left-out")) << "it has ids, and asks for no name";
  EXPECT_FALSE(px_cad.contains("monotonic-for-wall")) << "it never looks at the wall clock";
  const std::set<std::string> rlock = mutations_of("redisson-rlock");
  EXPECT_TRUE(rlock.contains("late@meanwhile:EVAL")) << "it renews";
  EXPECT_TRUE(rlock.contains("after-look@acquire:SUBSCRIBE"));
  EXPECT_FALSE(rlock.contains("old-id")) << "it has no ids";
  EXPECT_TRUE(mutations_of("redlock").contains("only-first-server@release:EVAL"));
  EXPECT_TRUE(mutations_of("redlock").contains("clock-before-call"));
  EXPECT_TRUE(mutations_of("redis-getset").contains("lease-times-1000@acquire:SETNX")) << "a time is a lease";
  EXPECT_TRUE(mutations_of("redisson-fenced").contains("token-before-grant"));
  EXPECT_TRUE(mutations_of("redisson-rw").contains("shared-for-exclusive"));
  EXPECT_TRUE(mutations_of("file-lock").contains("refusal-is-ok@try-flock"));
}

TEST(Mutants, AnUnknownOneIsASentenceThatSaysWhichAreThere) {
  EXPECT_EQ(find_lock_or_mutant("redis-px-cad~nonsense"), nullptr);
  EXPECT_EQ(find_lock_or_mutant("nonsense~old-id"), nullptr);
  EXPECT_EQ(find_lock_or_mutant("redis-px-cad"), find_lock("redis-px-cad"));
  try {
    lock_or_mutant_called("redis-px-cad~without-NX@acquire:GET");
    FAIL();
  } catch (const BadInput& problem) {
    EXPECT_THAT(problem.what(),
                AllOf(HasSubstr("did you mean"), HasSubstr("redis-px-cad~without-NX@acquire:SET")));
  }
  EXPECT_THROW(lock_or_mutant_called("redis-px-cat~old-id"), BadInput);
}

TEST(Mutant, LosesAnOption) {
  const Story story("redis-px-cad~without-NX@acquire:SET");
  EXPECT_EQ(story.count({"applied", "SET lock", "PX 10000"}), 3U);
  EXPECT_EQ(story.count({"SET lock", "NX"}), 0U);
  EXPECT_EQ(story.letter(), Letter::violated);
}

TEST(Mutant, LosesAnOptionWithItsValue) {
  const Story story("redis-px-cad~without-PX@acquire:SET");
  EXPECT_GT(story.count({"SET lock", "NX"}), 0U);
  EXPECT_EQ(story.count({"SET lock", "PX"}), 0U);
}

TEST(Mutant, AsksForAnotherLease) {
  EXPECT_GT(Story("redis-px-cad~lease-times-1000@acquire:SET").count({"SET lock", "PX 10000000"}), 0U);
  EXPECT_GT(Story("redis-px-cad~lease-by-1000@acquire:SET").count({"SET lock", "PX 10\""}) +
                Story("redis-px-cad~lease-by-1000@acquire:SET").count({"SET lock", "PX 10 "}),
            0U);
}

TEST(Mutant, NeverSendsACommandAndTakesItForDone) {
  const Story story("redis-px-cad~not-sent@release:EVAL");
  EXPECT_EQ(story.count({"applied", "EVAL"}), 0U);
  EXPECT_EQ(story.count({"\"ok\"", "release"}), 3U);
  EXPECT_EQ(story.letter(), Letter::stuck_bounded);
}

TEST(Mutant, SendsACommandTwice) {
  EXPECT_EQ(Story("redis-px-cad~sent-twice@release:EVAL").count({"applied", "EVAL"}),
            2 * Story("redis-px-cad").count({"applied", "EVAL"}));
}

TEST(Mutant, SendsACommandBehindTheNext) {
  const Story story("redis-setnx-expire~not-sent@acquire:EXPIRE");
  EXPECT_EQ(story.count({"applied", "EXPIRE"}), 0U);
  const Story late("redis-setnx-expire~after-EXPIRE@acquire:SETNX");
  const auto first = [&](std::string_view word) {
    return std::ranges::find_if(late.lines(), [&](const std::string& line) {
      return line.find("applied") != std::string::npos && line.find(word) != std::string::npos;
    });
  };
  EXPECT_LT(first("EXPIRE lock"), first("SETNX lock"));
}

TEST(Mutant, ReadsARefusalAsAGrant) {
  EXPECT_EQ(Story("redis-px-cad~nil-is-ok@acquire:SET").letter(), Letter::violated);
}

TEST(Mutant, CutsAScriptIntoWhatItLooksAtAndWhatItDoes) {
  const Story story("redis-px-cad~cut@release:EVAL");
  EXPECT_EQ(story.count({"applied", "DEL lock"}), 3U) << "a command of its own";
  EXPECT_EQ(story.letter(), Letter::safe) << "nobody comes between";
}

TEST(Mutant, GoesToSomeServersOnly) {
  const auto releases_on = [](const std::string& mutant, const std::string& server) {
    Scenario alone = plain_scenario();  // nobody has to give back what it did not get
    alone.clients.resize(1);
    return Story(mutant, alone).count({"applied", "EVAL", "\"" + server + "\""});
  };
  EXPECT_GT(releases_on("redlock", "redis-5"), 0U);
  EXPECT_GT(releases_on("redlock~only-first-server@release:EVAL", "redis-1"), 0U);
  EXPECT_EQ(releases_on("redlock~only-first-server@release:EVAL", "redis-2"), 0U);
  EXPECT_GT(releases_on("redlock~not-last-server@release:EVAL", "redis-4"), 0U);
  EXPECT_EQ(releases_on("redlock~not-last-server@release:EVAL", "redis-5"), 0U);
}

TEST(Mutant, RenewsLateOrOnceTooOften) {
  Scenario slow = plain_scenario();
  slow.workload.work = {0ms, 1200};
  const auto renewals = [&](const std::string& mutant) {
    return Story(mutant, slow).count({"applied", "EVAL if (redis.call('hexists'"});
  };
  EXPECT_EQ(Story("redisson-rlock", slow).letter(), Letter::safe);
  EXPECT_EQ(Story("redisson-rlock~late@meanwhile:EVAL", slow).letter(), Letter::violated);
  EXPECT_EQ(renewals("redisson-rlock~once-too-often@meanwhile:EVAL"), renewals("redisson-rlock") + 3);
}

TEST(Mutant, SubscribesAfterTheLookOrNever) {
  const Story never("redisson-rlock~not-sent@acquire:SUBSCRIBE");
  EXPECT_EQ(never.count({"applied", "SUBSCRIBE redisson"}), never.count({"applied", "UNSUBSCRIBE"}));
  EXPECT_EQ(never.letter(), Letter::stuck_bounded) << "nobody is woken";
  const Story late("redisson-rlock~after-look@acquire:SUBSCRIBE");
  const auto first = [&](std::string_view word) {
    return std::ranges::find_if(late.lines(), [&](const std::string& line) {
      return line.find("applied") != std::string::npos && line.find("\"c2\"") != std::string::npos &&
             line.find(word) != std::string::npos;
    });
  };
  const auto look = first("EVAL");
  ASSERT_NE(look, late.lines().end());
  const auto second = std::find_if(look + 1, late.lines().end(), [](const std::string& line) {
    return line.find("\"c2\"") != std::string::npos && line.find("EVAL") != std::string::npos;
  });
  EXPECT_GT(first("SUBSCRIBE redisson"), second);
}

TEST(Mutant, IsToldAnotherNameOrAnOldId) {
  const Story nameless("redisson-rlock~process-left-out");
  EXPECT_GT(nameless.count({"client:1"}), 0U);
  EXPECT_EQ(nameless.letter(), Letter::violated) << "who is taken for the holder re-enters";
  Scenario rounds = plain_scenario();
  rounds.workload.rounds = 2;
  EXPECT_GT(Story("redis-px-cad", rounds).count({"SET lock c1:1-2"}), 0U);
  EXPECT_EQ(Story("redis-px-cad~old-id", rounds).count({"SET lock c1:1-2"}), 0U);
}

TEST(Mutant, TakesTheProcessForTheThread) {
  Scenario threads = plain_scenario();
  threads.clients.resize(1);
  threads.clients.front().threads = 2;
  EXPECT_EQ(Story("redisson-rlock", threads).letter(), Letter::safe);
  EXPECT_EQ(Story("redisson-rlock~process-for-thread", threads).letter(), Letter::violated);
}

TEST(Mutant, HandsOutTokensThatAreTooOld) {
  const Story kept("redisson-fenced~token-before-grant");
  EXPECT_GT(kept.count({"\"token\":0"}), 0U);
  Scenario rounds = plain_scenario();
  rounds.workload.rounds = 2;
  EXPECT_NE(Story("redisson-fenced~token-kept", rounds).letter(), Letter::safe);
}

TEST(Mutant, ReleasesInAnothersNameTwiceOrNotAtAll) {
  EXPECT_EQ(Story("redis-px-cad~release-left-out").letter(), Letter::stuck_bounded);
  EXPECT_GT(Story("redisson-rlock~release-by-neighbour").count({"fail", "release"}), 0U);
  EXPECT_EQ(Story("redisson-semaphore~release-twice").count({"applied", "incrby"}),
            2 * Story("redisson-semaphore").count({"applied", "incrby"}));
}

TEST(Mutant, OfAFileLockOrALatchIsOneToo) {
  EXPECT_EQ(Story("file-lock~refusal-is-ok@try-flock").letter(), Letter::violated);
  EXPECT_EQ(Story("redisson-latch~release-left-out", plain_scenario("latch")).letter(),
            Letter::stuck_for_ever);
}

}  // namespace mutants_test
}  // namespace holdfast
