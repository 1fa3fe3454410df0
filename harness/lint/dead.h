// Functions that a header declares and nobody uses.
//
// A name counts as used if it stands anywhere but where a function of that name is declared or defined. The
// linter knows no types, so a dead function whose name somebody else uses too is not found; none is accused
// wrongly but by a macro.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/lint/source.h"

namespace holdfast::lint {

struct DeadFunction {
  std::string path;
  std::size_t line = 0;
  std::string name;
  bool tests_use_it = false;
};

// In the order of the files. Headers of tests (test_x.h) are not looked at.
std::vector<DeadFunction> dead_functions(std::span<const SourceFile> files);

// What only tests use, and why it stays.
struct KeptForTests {
  std::string_view name;
  std::string_view reason;
};
std::span<const KeptForTests> kept_for_tests();

}  // namespace holdfast::lint
