# run.sh builds and runs from any directory, below a path with spaces, and hands on arguments, exit
# code, working directory and a clean stdout.
. "$HOLDFAST_ROOT/.ci/check.sh"

make_miniature "a place with spaces/holdfast"
run="$PWD/a place with spaces/holdfast/run.sh"
mkdir elsewhere && cd elsewhere

# The first call builds and says so, on stderr.
expect_exit 0 "$run" run "two words" '*' --seed=1
expect_content out $'in elsewhere\n<run>\n<two words>\n<*>\n<--seed=1>'
expect_content err "Building holdfast (release)."

# The second has nothing to build or to say.
expect_exit 0 "$run"
expect_content out $'in elsewhere\n<matrix>'
expect_content err ""

# The exit code is the program's.
expect_exit 1 "$run" ""

# Through a link, with no home directory, and with one that cannot be written.
ln -s "$run" link
expect_exit 0 ./link
touch "${run%/run.sh}/harness/kernel/answer.cpp"
expect_exit 0 env -u HOME -u CCACHE_DIR "$run"
touch "${run%/run.sh}/harness/kernel/answer.cpp"
expect_exit 0 env -u CCACHE_DIR HOME=/proc "$run"
expect_content out $'in elsewhere\n<matrix>'

# A directory that was moved together with its build.
mv "../a place with spaces" ../moved
run=$PWD/../moved/holdfast/run.sh
expect_exit 0 "$run" again
expect_content out $'in elsewhere\n<again>'

# Two calls at once.
touch ../moved/holdfast/harness/kernel/answer.cpp
"$run" first >first.log 2>&1 &
expect_exit 0 "$run" second
wait $!
expect_text first.log "<first>"

# A source that does not compile: its error, one sentence, exit code 2, and nothing runs.
echo 'int broken = "no";' >../moved/holdfast/harness/kernel/broken.cpp
expect_exit 2 "$run" list
expect_content out ""
expect_text err "broken.cpp:1:14: error:"
expect_text err "holdfast: the release build failed; the end of its log is above"
