# Every script is clean under shellcheck.
. "$HOLDFAST_ROOT/.ci/check.sh"

cd "$HOLDFAST_ROOT"
shellcheck --external-sources run.sh test.sh .ci/run .ci/*.sh locks/redis/redisson/conformance/record.sh
shellcheck --external-sources --shell=bash --exclude=SC1091 .ci/tests/*.sh
