# The built program answers the way scripts rely on: exit codes, and stdout that is only its own.
. "$HOLDFAST_ROOT/.ci/check.sh"

run=$HOLDFAST_ROOT/run.sh
expect_exit 0 "$run" matrix --lock redis-px-cad
expect_content err ""
expect_text out "redis-px-cad"
expect_exit 2 "$run" nonsense
expect_text err "nonsense"
expect_exit 0 "$run" --help
expect_text out "matrix"

# What a reference such as 001:L335 means is said, since the documents are not here.
expect_exit 0 "$run" list locks --source
expect_text out "002:L213"
expect_text out "delete the key only if it still holds"
expect_exit 2 "$run" list faults --source
expect_text err 'goes with "list locks"'
