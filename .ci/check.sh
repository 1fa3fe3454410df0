# Sourced by the tests in .ci/tests: a few ways to say what must hold.
#
# A test runs in an empty directory of its own and finds the repository through $HOLDFAST_ROOT. It
# ends at the first thing that does not hold.
# shellcheck shell=bash
set -euo pipefail

# expect_exit CODE COMMAND...: runs it, keeping its output in ./out and ./err.
expect_exit() {
  local expected=$1 actual=0
  shift
  "$@" >out 2>err || actual=$?
  if ((actual == expected)); then return; fi
  printf 'Expected exit code %s, got %s, from: %s\n' "$expected" "$actual" "$*"
  tail -n 40 out err # what a program says last is why it ended
  exit 1
}

# expect_text FILE TEXT: the text stands in the file.
expect_text() {
  if grep -qF -- "$2" "$1"; then return; fi
  printf 'Expected "%s" in %s, which says:\n' "$2" "$1"
  cat "$1"
  exit 1
}

# expect_content FILE TEXT: the file says that and nothing else.
expect_content() {
  if [[ $(cat "$1") == "$2" ]]; then return; fi
  printf 'Expected only "%s" in %s, which says:\n' "$2" "$1"
  cat "$1"
  exit 1
}

# expect_last_line TEXT: ./out ends with that line.
expect_last_line() {
  tail -n 1 out >last
  expect_content last "$1"
}

# make_miniature DIRECTORY: the build of this repository around a program that says how it was
# called, and two rooms, so that the scripts can be tried in seconds however large holdfast gets.
make_miniature() {
  mkdir -p "$1"/harness/{cli,kernel,check/linear,machine/clock} "$1/.ci"
  cp "$HOLDFAST_ROOT"/{CMakeLists.txt,CMakePresets.json,run.sh,test.sh} "$1"
  cp "$HOLDFAST_ROOT"/.ci/*.{sh,py} "$1/.ci"
  cp "$HOLDFAST_ROOT"/harness/check/library.cmake "$1/harness/check"
  cp -r "$HOLDFAST_ROOT"/harness/machine/clock/{preload,preload.cmake,clock_page_layout.h} "$1/harness/machine/clock"
  echo 'int question() { return 6 * 9; }' >"$1/harness/check/linear/question.cpp"
  echo 'int answer() { return 42; }' >"$1/harness/kernel/answer.cpp"
  cat >"$1/harness/kernel/answer_test.cpp" <<'END'
#include <gtest/gtest.h>
int answer();
TEST(Answer, IsKnown) { EXPECT_EQ(answer(), 42); }
END
  echo 'int clocks() { return 3; }' >"$1/harness/machine/clocks.cpp"
  cat >"$1/harness/machine/clocks_test.cpp" <<'END'
#include <gtest/gtest.h>
int clocks();
TEST(Clocks, AreThree) { EXPECT_EQ(clocks(), 3); }
TEST(Clocks, AreMoreThanTwo) { EXPECT_GT(clocks(), 2); }
END
  cat >"$1/harness/cli/main.cpp" <<'END'
#include <cstdio>
#include <filesystem>
int main(int count, char** words) {
  std::printf("in %s\n", std::filesystem::current_path().filename().c_str());
  for (int index = 1; index < count; ++index) {
    std::printf("<%s>\n", words[index]);
  }
  return count == 2 && *words[1] == 0 ? 1 : 0;
}
END
}
