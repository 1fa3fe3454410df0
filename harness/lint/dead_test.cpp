// Looks for dead functions in the repository itself, and in small made-up trees.
#include "harness/lint/dead.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "harness/lint/tree.h"

namespace holdfast::lint::dead_test {

std::vector<std::string> dead_in(std::span<const SourceFile> files) {
  std::vector<std::string> names;
  for (const DeadFunction& each : dead_functions(files)) {
    names.push_back(each.name + (each.tests_use_it ? " (tests)" : ""));
  }
  return names;
}

TEST(DeadFunctions, AreThoseThatNobodyNamesAgain) {
  const std::array files = {
      parse("harness/a.h",
            "int used();\nint unused();\nint only_declared();\nint tested();\n"
            "class A {\n  bool is_read() const { return x_; }\n  bool is_not() const { return x_; }\n"
            "  static A& made(int x);\n  virtual void on_end(int) = 0;\n  explicit A(int x);\n};\n"),
      parse("harness/a.cpp",
            "int used() { return 1; }\nint unused() { return used(); }\n"
            "bool f(const A& a) { return a.is_read(); }\nA& A::made(int x) { return g(x); }\n"),
      parse("harness/a_test.cpp", "int x = tested();\n")};
  EXPECT_EQ(dead_in(files), (std::vector<std::string>{"unused", "only_declared", "tested (tests)", "is_not",
                                                      "made", "on_end"}));
}

TEST(DeadFunctions, AreNotThereInTheRepository) {
  const std::vector<SourceFile> files = read_tree(HOLDFAST_SOURCE_DIR);
  for (const DeadFunction& each : dead_functions(files)) {
    const bool is_kept = std::ranges::count(kept_for_tests(), each.name, &KeptForTests::name) > 0;
    EXPECT_TRUE(each.tests_use_it && is_kept)
        << each.path << ":" << each.line << ": " << each.name
        << (each.tests_use_it ? " is used by tests only: use it, or say in kept_for_tests() why it stays"
                              : " is declared and used nowhere: delete it");
  }
}

TEST(DeadFunctions, AreNotKeptWithoutNeed) {
  const std::vector<SourceFile> files = read_tree(HOLDFAST_SOURCE_DIR);
  const std::vector<DeadFunction> dead = dead_functions(files);
  for (const KeptForTests& kept : kept_for_tests()) {
    EXPECT_GT(std::ranges::count(dead, kept.name, &DeadFunction::name), 0) << kept.name << " needs no excuse";
  }
}

}  // namespace holdfast::lint::dead_test
