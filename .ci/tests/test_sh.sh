# test.sh ends with the sum of all levels, counts what fails to build, and is red when nothing ran.
. "$HOLDFAST_ROOT/.ci/check.sh"

make_miniature repository
repository=$PWD/repository
mkdir "$repository/.ci/tests"
script_test() { printf '%s\n' "$2" >"$repository/.ci/tests/$1.sh"; }
# shellcheck disable=SC2016 # for the script to expand
script_test good 'test -d "$HOLDFAST_ROOT" && test -z "$(ls)"'

expect_exit 0 "$repository/test.sh" --quick
expect_last_line "4 passed, 0 failed"

# A room by itself: its tests, and nothing else is built or run.
rm -r "$repository/build"
expect_exit 0 "$repository/test.sh" harness/kernel/
expect_last_line "1 passed, 0 failed"
[[ ! -e $repository/build/tests_machine && ! -e $repository/build/holdfast && ! -e $repository/build-debug ]]
expect_exit 0 "$repository/test.sh" kernel machine --thorough
expect_last_line "3 passed, 0 failed"
expect_exit 2 "$repository/test.sh" kernl
expect_content err "holdfast: there is no room kernl with tests, did you mean kernel; the rooms are kernel, machine."
expect_exit 2 "$repository/test.sh" --debug
expect_exit 2 "$repository/test.sh" cellar
expect_content err "holdfast: there is no room cellar with tests; the rooms are kernel, machine."

# A store is two rooms: what it computes, and what deals with real servers.
mkdir -p "$repository/harness/stores/shop/server"
printf '#include <gtest/gtest.h>\nTEST(Till, Adds) { EXPECT_EQ(1 + 1, 2); }\n' >"$repository/harness/stores/shop/till_test.cpp"
printf '#include <gtest/gtest.h>\nTEST(Door, Opens) {}\nTEST(Door, Closes) {}\n' >"$repository/harness/stores/shop/server/door_test.cpp"
expect_exit 0 "$repository/test.sh" shop
expect_last_line "1 passed, 0 failed"
expect_exit 0 "$repository/test.sh" harness/stores/shop/server
expect_last_line "2 passed, 0 failed"
expect_exit 0 "$repository/test.sh" shop_server shop
expect_last_line "3 passed, 0 failed"
rm -r "$repository/harness/stores"

# A file that only compiles behind its neighbours is found when it is compiled by itself.
printf '#include <string>\nstd::size_t letters(const std::string& word) { return word.size(); }\n' >"$repository/harness/kernel/a.cpp"
echo 'int one_letter() { return std::string("b").size() == 1 ? 1 : 0; }' >"$repository/harness/kernel/b.cpp"
expect_exit 1 "$repository/test.sh" kernel --separate
expect_text out "release: 1 of 1 tests passed"
expect_text err "b.cpp:1:"
expect_last_line "1 passed, 1 failed"
sed -i '1i #include <string>' "$repository/harness/kernel/b.cpp"
expect_exit 0 "$repository/test.sh" kernel --separate
expect_last_line "2 passed, 0 failed"
expect_text "$repository/build/separate.log" " of them looked at now."

# So is a header that needs one from before it, and a name that hides another; what is known is not looked at again.
printf 'inline std::string word() { return "w"; }\n' >"$repository/harness/kernel/words.h"
sed -i '1a #include "harness/kernel/words.h"' "$repository/harness/kernel/b.cpp"
expect_exit 1 "$repository/test.sh" kernel --separate
expect_text err "harness/kernel/words.h does not stand alone"
expect_text "$repository/build/separate.log" ", 2 of them looked at now."
sed -i '1i #pragma once\n#include <string>' "$repository/harness/kernel/words.h"
expect_exit 0 "$repository/test.sh" kernel --separate
expect_text "$repository/build/separate.log" ", 2 of them looked at now."
expect_exit 0 "$repository/test.sh" kernel --separate
expect_text "$repository/build/separate.log" ", 0 of them looked at now."
echo 'int shadow(int value) { { int value = 1; return value; } }' >"$repository/harness/kernel/c.cpp"
expect_exit 1 "$repository/test.sh" machine --separate
expect_text err "shadows a local variable"
rm "$repository/harness/kernel/c.cpp"

# What an editor reads names each file, not the batches.
for source in kernel/b.cpp check/linear/question.cpp cli/main.cpp kernel/answer_test.cpp machine/clock/preload/wait.c; do
  expect_text "$repository/compile_commands.json" "\"file\": \"$repository/harness/$source\""
done
[[ $(grep -c unity "$repository/compile_commands.json") == 0 ]]

script_test bad 'echo "the reason" && exit 3'
script_test skipped 'exit 77'
expect_exit 1 "$repository/test.sh" --quick
expect_text out ".ci/tests/bad.sh ended with 3:"
expect_text out "the reason"
expect_last_line "4 passed, 1 failed"

rm "$repository/.ci/tests/"{bad,skipped}.sh
sed -i 's/42); }/43); }/' "$repository/harness/kernel/answer_test.cpp"
expect_exit 1 "$repository/test.sh" --quick
expect_text out "Expected equality of these values"
expect_last_line "3 passed, 1 failed"

# A program that ends at once is one failed test, with the end of what it said; the other rooms run all the same.
sed -i 's/EXPECT_EQ(answer(), 43)/std::puts("the last words"), std::fflush(stdout), std::abort()/' \
  "$repository/harness/kernel/answer_test.cpp"
expect_exit 1 "$repository/test.sh" --quick
expect_text out "tests_kernel ended with 134 before it could report:"
expect_text out "the last words"
expect_last_line "3 passed, 1 failed"

echo 'nonsense' >"$repository/harness/kernel/answer_test.cpp"
expect_exit 1 "$repository/test.sh" --quick
expect_text err "holdfast: the release build failed"
expect_last_line "1 passed, 1 failed"

echo 'int unused();' >"$repository/harness/kernel/answer_test.cpp"
rm -r "$repository/.ci/tests" "$repository/harness/machine/clocks_test.cpp"
expect_exit 1 "$repository/test.sh" --quick
expect_last_line "0 passed, 1 failed"

expect_exit 2 "$repository/test.sh" --qick
expect_text err "test.sh has no option --qick"
expect_exit 0 "$repository/test.sh" --help
expect_text out "Usage: ./test.sh"
