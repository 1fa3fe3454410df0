# A finding of sim happens on the real server, too.
. "$HOLDFAST_ROOT/.ci/check.sh"
holdfast=$HOLDFAST_ROOT/build/holdfast

expect_exit 1 "$holdfast" run gc-pause-write --confirm --log log
expect_text out "confirmed on redis-server"
expect_exit 0 "$holdfast" confirm log
expect_text out "the same letter, V"
expect_exit 1 "$holdfast" run gc-pause-write --confirm --json
python3 -c 'import json, sys; assert json.load(open("out"))["confirmed"] is True'

# Both worlds write the same history.
expect_exit 1 "$holdfast" run async-failover --history sim.jsonl
expect_exit 1 "$holdfast" run async-failover --world warp --history warp.jsonl
cmp sim.jsonl warp.jsonl

expect_exit 2 "$holdfast" run gc-pause-write --world wrap
expect_text err 'did you mean "warp"'
# A log that is of another run than this version makes of it confirms nothing.
sed '1s/"fingerprint":"[0-9a-f]*"/"fingerprint":"0123456789abcdef"/' log >old-log
expect_exit 2 "$holdfast" confirm old-log
expect_text err "does not fit this version of holdfast"

expect_exit 2 "$holdfast" confirm
expect_exit 2 "$holdfast" confirm no-such-log
