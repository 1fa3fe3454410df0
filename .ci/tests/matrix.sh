# The whole matrix, every lock under every family at every step, is as scenarios/expected.json says.
. "$HOLDFAST_ROOT/.ci/check.sh"

expect_exit 0 "$HOLDFAST_ROOT/run.sh" matrix
expect_content err ""
expect_text out "Nothing disagrees with the expected table."
