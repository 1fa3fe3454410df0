# The whole matrix, every lock under every family at every step, is as scenarios/expected.json says.
. "$HOLDFAST_ROOT/.ci/check.sh"

expect_exit 0 "$HOLDFAST_ROOT/run.sh" matrix
grep -v '^holdfast: cells ' err >complaints || true # on a slow machine it says how far it is
expect_content complaints ""
expect_text out "Nothing disagrees with the expected table."

# --why tells of each lock its worst cell, and the run that its least was found as: that comes to the same letter.
expect_exit 0 "$HOLDFAST_ROOT/run.sh" matrix --lock redis-px-cad --lock redis-setnx --family pause --family crash --why
expect_text out "redis-px-cad under pause: V, "
expect_text out "    2 clients, 1 fault, "
expect_text out ": gc-pause on c1 for "
command=$(grep -A 2 "redis-px-cad under pause: V" out | sed -n 's/^    found as: holdfast \(run .*\)/\1/p')
# shellcheck disable=SC2086 # the words of the command
expect_exit 1 "$HOLDFAST_ROOT/build/holdfast" $command --json
expect_text out '"letter": "V"'
