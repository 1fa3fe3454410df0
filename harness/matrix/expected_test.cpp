// Reads good tables, and bad ones of which each must get its own sentence.
#include "harness/matrix/expected.h"

#include <gtest/gtest.h>

#include "harness/text/bad_input.h"

namespace holdfast {
namespace {

const std::vector<std::string> locks{"redis-px-cad", "redis-setnx"};
const std::vector<std::string> families{"pause", "crash"};

ExpectedTable parse(std::string_view text) {
  return ExpectedTable::parse(text, "expected.json", locks, families);
}

std::string problem_with(std::string_view text) {
  try {
    parse(text);
  } catch (const BadInput& problem) {
    return problem.what();
  }
  return "no problem";
}

TEST(ExpectedTable, FindsCellsAndMissesTheOthers) {
  const ExpectedTable table = parse(R"({"cells": {"redis-px-cad": {
      "pause": {"letter": "V"}, "crash": {"letter": "L", "reasoned": "S", "note": "the lease"}}}})");
  ASSERT_NE(table.find("redis-px-cad", "pause"), nullptr);
  EXPECT_EQ(table.find("redis-px-cad", "pause")->letter, Letter::violated);
  EXPECT_EQ(table.find("redis-px-cad", "pause")->reasoned, std::nullopt);
  EXPECT_EQ(table.find("redis-px-cad", "crash")->reasoned, Letter::safe);
  EXPECT_EQ(table.find("redis-px-cad", "crash")->note, "the lease");
  EXPECT_EQ(table.find("redis-setnx", "pause"), nullptr);
}

TEST(ExpectedTable, TakesBothDashesForNotApplicable) {
  EXPECT_EQ(
      parse(R"({"cells": {"redis-setnx": {"pause": {"letter": "–"}}}})").find("redis-setnx", "pause")->letter,
      Letter::not_applicable);
  EXPECT_EQ(
      parse(R"({"cells": {"redis-setnx": {"pause": {"letter": "-"}}}})").find("redis-setnx", "pause")->letter,
      Letter::not_applicable);
}

TEST(ExpectedTable, NamesTheLineThatIsNotJson) {
  EXPECT_EQ(problem_with("{\n\"cells\": {\n\"redis"),
            "expected.json line 3: this is not JSON; expected an object with \"cells\"");
  EXPECT_EQ(problem_with(""), "expected.json line 1: this is not JSON; expected an object with \"cells\"");
}

TEST(ExpectedTable, NamesTheFieldThatIsWrong) {
  EXPECT_EQ(problem_with("[]"), "expected.json, the file: expected an object, found array");
  EXPECT_EQ(problem_with(R"({"cell": {}})"),
            "expected.json, cell: there is no field \"cell\"; did you mean \"cells\"?");
  EXPECT_EQ(
      problem_with(R"({"cells": {"redis-px-cda": {}}})"),
      "expected.json, cells.redis-px-cda: there is no lock \"redis-px-cda\"; did you mean \"redis-px-cad\"?");
  EXPECT_EQ(problem_with(R"({"cells": {"redis-setnx": {"paus": {}}}})"),
            "expected.json, cells.redis-setnx.paus: there is no family \"paus\"; did you mean \"pause\"?");
  EXPECT_EQ(
      problem_with(R"({"cells": {"redis-setnx": {"pause": {"letter": "X"}}}})"),
      "expected.json, cells.redis-setnx.pause.letter: \"X\" is no letter; expected one of S, L, U, E, D, "
      "F, V or –");
  EXPECT_EQ(problem_with(R"({"cells": {"redis-setnx": {"pause": {"letter": 1}}}})"),
            "expected.json, cells.redis-setnx.pause.letter: expected a text, found number");
  EXPECT_EQ(
      problem_with(R"({"cells": {"redis-setnx": {"pause": {}}}})"),
      "expected.json, cells.redis-setnx.pause: the \"letter\" is missing; expected one of S, L, U, E, D, "
      "F, V or –");
}

TEST(ExpectedTable, RefusesAVersionItDoesNotKnow) {
  EXPECT_NE(parse(R"({"version": 1, "cells": {"redis-px-cad": {"pause": {"letter": "V"}}}})")
                .find("redis-px-cad", "pause"),
            nullptr);
  EXPECT_EQ(problem_with(R"({"version": 2})"),
            "expected.json, version: found 2; this holdfast reads version 1");
}

}  // namespace
}  // namespace holdfast
