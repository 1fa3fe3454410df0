// Lints the repository itself, one test for each rule, and the table of allowances. The machinery for
// that is tried on small made-up trees.
#include "harness/lint/tree.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <ostream>
#include <string>

namespace holdfast::lint {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

void fail_with(const std::vector<std::string>& complaints) {
  for (const std::string& complaint : complaints) {
    ADD_FAILURE() << complaint;
  }
}

std::string name_of_rule(const testing::TestParamInfo<Rule>& info) {
  std::string name(info.param.name);
  std::ranges::replace(name, '-', '_');
  return name;
}

}  // namespace

// Found by GoogleTest beside the type it prints.
void PrintTo(const Rule& rule, std::ostream* stream) {
  *stream << rule.name;
}

namespace {

const std::vector<SourceFile>& repository() {
  static const std::vector<SourceFile> files = read_tree(HOLDFAST_SOURCE_DIR);
  return files;
}

class Repository : public testing::TestWithParam<Rule> {};

TEST_P(Repository, Keeps) {
  ASSERT_FALSE(repository().empty());
  fail_with(violations(GetParam(), repository(), allowances()));
}

INSTANTIATE_TEST_SUITE_P(Rule, Repository, testing::ValuesIn(rules().begin(), rules().end()), name_of_rule);

TEST(Allowances, AreAllNeeded) {
  fail_with(idle_allowances(repository(), allowances()));
}

TEST(Allowances, ExcuseTheFilesTheyNameAndNoOthers) {
  const std::array files = {parse("harness/a.cpp", "int x = rand();\n"),
                            parse("harness/b.cpp", "\nconst int x = rand();\n")};
  const std::array table = {Allowance{"harness/a.*", "randomness", "because"}};
  EXPECT_THAT(violations(rule_named("randomness"), files, table),
              ElementsAre(HasSubstr("harness/b.cpp:2: randomness: rand; every decision")));
  EXPECT_THAT(violations(rule_named("mutable-state"), files, table),
              ElementsAre(HasSubstr("harness/a.cpp:1: mutable-state: x at namespace scope")));
}

TEST(Allowances, MustBeNeededOnceTheirFileExists) {
  const std::array files = {parse("harness/a.cpp", "")};
  const std::array table = {Allowance{"harness/a.cpp", "threads", "because"},
                            Allowance{"harness/not_yet.cpp", "threads", "because"},
                            Allowance{"harness/*", "threads", "a door"}};
  EXPECT_THAT(idle_allowances(files, table),
              ElementsAre("the allowance of threads for harness/a.cpp is not needed: delete it"));
}

TEST(Allowances, MustNameARuleAndGiveAReason) {
  const std::array table = {Allowance{"a.cpp", "thread", "because"}, Allowance{"a.cpp", "threads", ""}};
  EXPECT_THAT(idle_allowances({}, table), ElementsAre("the allowance of thread for a.cpp names no rule",
                                                      "the allowance of threads for a.cpp gives no reason"));
}

TEST(Allowances, MatchPathsWithStars) {
  EXPECT_TRUE(fits("harness/cli/bench/bench_kernel.cpp", "harness/cli/bench*"));
  EXPECT_TRUE(fits("harness/cli/deep/x.cpp", "harness/cli/*"));
  EXPECT_TRUE(fits("locks/a_test.cpp", "*_test.cpp"));
  EXPECT_FALSE(fits("harness/explore/parallel_test.cpp", "harness/explore/parallel.*"));
  EXPECT_FALSE(fits("harness/cli/benchmark.cpp", "harness/cli/bench"));
}

TEST(Headers, GiveTheirNamesToTheirSourcesAndTests) {
  const std::array files = {parse("harness/a.cpp", "void f() { for (auto& x : index_) {} }\n"),
                            parse("harness/a.h", "class A { std::unordered_map<int, int> index_; };\n"),
                            parse("harness/a_test.cpp", "auto x = index_.begin();\n"),
                            parse("harness/b.cpp", "void f() { for (auto& x : index_) {} }\n")};
  EXPECT_THAT(violations(rule_named("unordered-iteration"), files, {}),
              ElementsAre(HasSubstr("harness/a.cpp:1:"), HasSubstr("harness/a_test.cpp:1:")));
}

}  // namespace
}  // namespace holdfast::lint
