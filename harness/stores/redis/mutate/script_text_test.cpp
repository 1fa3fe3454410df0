// How: scripts as locks have them are taken apart, and what is found is compared with what a reader finds. A
// script that is cut says what it would have done, and the model does it then, command by command.
#include "harness/stores/redis/mutate/script_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/stores/redis/model/test_session.h"

namespace holdfast::redis {
namespace script_text_test {

using ::testing::ElementsAre;

constexpr std::string_view compare_and_delete =
    "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) else return 0 end";

constexpr std::string_view many_lines = R"lua(
-- if redis.call('flushall') then
if redis.call('exists', KEYS[1]) == 0
    and (redis.call("hexists", KEYS[1], ARGV[2]) == 1 or ARGV[3] == ') then') then
  redis.call('hincrby', KEYS[1], ARGV[2], 1)
  redis.call('set', KEYS[2] .. ':' .. ARGV[2], 1, 'px', ARGV[1], 'nx'); redis.call('publish', 'c', '1')
  return nil
elseif ARGV[2] then
  local left = redis.call('pttl', KEYS[1])
end
return 0
)lua";

std::string text_of(std::string_view script, ScriptPart part) {
  return std::string(script.substr(part.begin, part.end - part.begin));
}

std::vector<std::string> names_in(std::string_view script) {
  std::vector<std::string> names;
  for (const ScriptCommand& command : commands_of(script)) {
    names.push_back((command.writes ? "" : "?") + command.name + (command.is_statement ? ";" : ""));
  }
  return names;
}

TEST(ScriptText, FindsCommandsAndWhetherTheyAreLookedAt) {
  EXPECT_THAT(names_in(compare_and_delete), ElementsAre("?GET", "DEL"));
  EXPECT_THAT(names_in(many_lines),
              ElementsAre("?EXISTS", "?HEXISTS", "HINCRBY;", "SET;", "PUBLISH;", "?PTTL"));
  EXPECT_THAT(names_in("if a then redis.call('del', b); return 1; end"), ElementsAre("DEL;"));
  EXPECT_THAT(names_in("local n =\n  redis.call('incr', KEYS[1])"), ElementsAre("INCR"));
}

TEST(ScriptText, FindsTheArgumentsOfACommand) {
  const ScriptCommand set = commands_of(many_lines)[3];
  std::vector<std::string> arguments;
  for (const ScriptPart& part : set.arguments) {
    arguments.push_back(text_of(many_lines, part));
  }
  EXPECT_THAT(arguments, ElementsAre(" KEYS[2] .. ':' .. ARGV[2]", " 1", " 'px'", " ARGV[1]", " 'nx'"));
}

TEST(ScriptText, FindsConditionsAndTheirHalves) {
  const std::vector<ScriptCondition> conditions = conditions_of(many_lines);
  ASSERT_EQ(conditions.size(), 2U);
  ASSERT_TRUE(conditions[0].left);
  EXPECT_EQ(text_of(many_lines, *conditions[0].left), "redis.call('exists', KEYS[1]) == 0");
  EXPECT_EQ(text_of(many_lines, *conditions[0].right),
            "(redis.call(\"hexists\", KEYS[1], ARGV[2]) == 1 or ARGV[3] == ') then')");
  EXPECT_EQ(text_of(many_lines, conditions[1].whole), "ARGV[2]");
  EXPECT_FALSE(conditions[1].left);
}

TEST(ScriptText, PutsOtherTextInPlaceOfAPart) {
  EXPECT_EQ(with_part(compare_and_delete, conditions_of(compare_and_delete).front().whole, "true"),
            "if true then return redis.call('del', KEYS[1]) else return 0 end");
}

TEST(ScriptText, AScriptThatIsCutChangesNothingAndSaysWhatItWouldDo) {
  TestSession redis;
  const std::optional<std::string> cut = cut_script(compare_and_delete);
  ASSERT_TRUE(cut);
  redis.ask("SET lock mine");
  EXPECT_EQ(redis.ask({"EVAL", *cut, "1", "lock", "mine"}), "[[[\"DEL\", \"lock\"]], 1]");
  EXPECT_EQ(redis.ask("GET lock"), "\"mine\"");
  EXPECT_EQ(redis.ask({"EVAL", *cut, "1", "lock", "another's"}), "[[], 0]");
}

TEST(ScriptText, AScriptThatIsCutAnswersAsTheWholeOneWould) {
  constexpr std::string_view script = R"lua(
if redis.call('exists', KEYS[1]) == 0 or redis.call('hexists', KEYS[1], ARGV[2]) == 1 then
  local holds = redis.call('hincrby', KEYS[1], ARGV[2], 1)
  redis.call('pexpire', KEYS[1], ARGV[1])
  return holds
end
return nil
)lua";
  TestSession redis;
  const std::string cut = *cut_script(script);
  EXPECT_EQ(redis.ask({"EVAL", cut, "1", "lock", "10", "a"}),
            "[[[\"HINCRBY\", \"lock\", \"a\", \"1\"], [\"PEXPIRE\", \"lock\", \"10\"]], 1]");
  redis.ask("HSET lock a 4");
  EXPECT_EQ(redis.ask({"EVAL", cut, "1", "lock", "10", "a"}),
            "[[[\"HINCRBY\", \"lock\", \"a\", \"1\"], [\"PEXPIRE\", \"lock\", \"10\"]], 5]");
  EXPECT_EQ(redis.ask({"EVAL", cut, "1", "lock", "10", "b"}), "[[]]") << "nil is left out";
}

TEST(ScriptText, WhatOnlyLooksOrGoesRoundIsNotCut) {
  EXPECT_FALSE(cut_script("return redis.call('get', KEYS[1])"));
  EXPECT_FALSE(cut_script("redis.call('del', KEYS[1])"));
  EXPECT_FALSE(cut_script("while redis.call('llen', KEYS[1]) > 0 do redis.call('lpop', KEYS[1]) end"));
}

}  // namespace script_text_test
}  // namespace holdfast::redis
