// When a server is told to forget its scripts, and what it is told again.
#include "harness/stores/redis/server/known_scripts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace holdfast::live::known_scripts_test {

using redis::Command;
using redis::make_command;
using redis::Reply;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class KnownScriptsTest : public ::testing::Test {
 protected:
  // What the server was told before the command.
  std::vector<Command> say(const Command& command, const Reply& reply = Reply::ok()) {
    std::vector<Command> told = scripts.before(command);
    scripts.answered(command, reply);
    return told;
  }

  const Command one = make_command("EVAL", "return 1", 0);
  const Command two = make_command("eval", "return 2", 0);
  const Command asks = make_command("EVALSHA", std::string(40, 'a'), 0);
  const Command forget = make_command("SCRIPT", "FLUSH");
  KnownScripts scripts;
};

TEST_F(KnownScriptsTest, RunsThatOnlyEvaluateAreNeverInterrupted) {
  for (int run = 0; run < 5; ++run) {
    scripts.begin_run();
    EXPECT_THAT(say(one), IsEmpty());
    EXPECT_THAT(say(make_command("SET", "a", "b")), IsEmpty());
  }
}

TEST_F(KnownScriptsTest, WhoAsksByNameMeetsAServerThatKnowsThisRunOnly) {
  scripts.begin_run();
  say(one);
  scripts.begin_run();
  say(two);
  EXPECT_THAT(say(asks), ElementsAre(forget, make_command("SCRIPT", "LOAD", "return 2")));
  EXPECT_THAT(say(asks), IsEmpty()) << "once is enough";
  say(one);
  EXPECT_THAT(say(asks), IsEmpty()) << "from here on the server knows by itself";
}

TEST_F(KnownScriptsTest, AServerThatKnowsNothingNeedNotForget) {
  scripts.begin_run();
  EXPECT_THAT(say(asks), IsEmpty());
  say(one);
  scripts.begin_run();
  scripts.forget();
  EXPECT_THAT(say(asks), IsEmpty());
}

TEST_F(KnownScriptsTest, WhatASessionLoadsByNameIsForgottenToo) {
  scripts.begin_run();
  say(make_command("script", "load", "return 1"));
  scripts.begin_run();
  EXPECT_THAT(say(make_command("SCRIPT", "EXISTS", "x")), ElementsAre(forget));
}

TEST_F(KnownScriptsTest, RandomNumbersAndTransactionsStartAnew) {
  for (const Command& command : {make_command("EVAL", "return math.random()", 0), make_command("MULTI")}) {
    scripts.forget();
    scripts.begin_run();
    say(one);
    scripts.begin_run();
    EXPECT_THAT(say(command), ElementsAre(forget)) << command.front();
  }
}

TEST_F(KnownScriptsTest, WhatWasRefusedForItsWordsIsNotTaughtAgain) {
  scripts.begin_run();
  say(one);
  scripts.begin_run();
  say(two, Reply::error("ERR Number of keys can't be negative"));
  EXPECT_THAT(say(asks), ElementsAre(forget));
}

TEST_F(KnownScriptsTest, NoServerKeepsTheScriptsOfAllRuns) {
  bool forgot = false;
  for (int run = 0; run < 2000; ++run) {
    scripts.begin_run();
    forgot = forgot || !say(one).empty();
  }
  EXPECT_TRUE(forgot);
}

}  // namespace holdfast::live::known_scripts_test
