# A finding of sim happens on the real server, too.
. "$HOLDFAST_ROOT/.ci/check.sh"
holdfast=$HOLDFAST_ROOT/build/holdfast

expect_exit 1 "$holdfast" run gc-pause-write --confirm --log log
expect_text out "confirmed on redis-server"
expect_exit 0 "$holdfast" confirm log
expect_text out "the same letter, V"
expect_exit 1 "$holdfast" run gc-pause-write --confirm --json
python3 -c 'import json, sys; assert json.load(open("out"))["confirmed"] is True'

# Both worlds write the same history, but for the world and the servers, which a history remembers.
expect_exit 1 "$holdfast" run async-failover --history sim.jsonl
expect_exit 1 "$holdfast" run async-failover --world warp --history warp.jsonl
grep -qE '^\{.*"world":"warp"' warp.jsonl
tail -n 1 warp.jsonl | grep -qE '"servers":"redis-server [0-9.]+"'
sed -E 's/,"world":"warp"//; s/,"servers":"redis-server [0-9.]+"//' warp.jsonl | cmp sim.jsonl -

# Which server: a program of the user's says so, and is remembered; what cannot be is one sentence.
mkdir -p tree/usr/bin
expect_exit 2 "$holdfast" run gc-pause-write --world warp --server redis=tree
expect_text err "has no redis-server and no valkey-server"
expect_exit 2 "$holdfast" confirm log --server redis=/dev/null
expect_text err "is no program that may be run"
expect_exit 2 "$holdfast" run gc-pause-write --world warp --server rediss=x
expect_text err 'did you mean "redis"'
for words in redis= =x redis; do
  expect_exit 2 "$holdfast" bench warp --server "$words"
  expect_text err "--server takes NAME=PROGRAM"
done
expect_exit 2 "$holdfast" run gc-pause-write --server redis=/bin/sh
expect_text err "--server is for real servers"
expect_exit 2 "$holdfast" matrix --server redis=/bin/sh
expect_exit 2 "$holdfast" bench kernel --server redis=/bin/sh
program=$(command -v redis-server)
expect_exit 1 "$holdfast" run gc-pause-write --world warp --server "redis=$program"
expect_text out "servers      redis-server"
expect_text out "--world warp --server redis=$program"
# The installed one as a tree: the same loader and libraries, found through the tree.
mkdir -p tree/lib64 tree/usr/lib
ln -s "$program" tree/usr/bin/redis-server
ln -s /lib64/ld-linux-x86-64.so.2 tree/lib64/
ln -s /usr/lib/x86_64-linux-gnu tree/usr/lib/
expect_exit 0 "$holdfast" confirm log --server redis=tree
expect_text out "confirmed on redis-server"
# The command that shows the run again asks nobody, so it names no server.
expect_exit 1 "$holdfast" run gc-pause-write --confirm --server redis=tree
expect_text out "confirmed on redis-server"
grep -q "replay .*--seed 1$" out
expect_exit 1 "$holdfast" run async-failover --world live --sentinels --speed-up 1 --server redis=tree

# A server that words its errors otherwise does the same; one that does something else does not.
expect_exit 0 "$holdfast" matrix --lock redis-lua-000 --family none --out data --confirm --server redis=tree --json matrix.json
expect_text out "1 of 1 shrunk stories came out the same on redis-server"
python3 -c 'import json; assert json.load(open("matrix.json"))["servers"].startswith("redis-server "), 1'

expect_exit 2 "$holdfast" run gc-pause-write --world wrap
expect_text err 'did you mean "warp"'
# Who runs on no server cannot be confirmed by one.
expect_exit 2 "$holdfast" run gc-pause-write --lock file-lock --confirm
expect_text err "there is no real one to ask"

# A log that is of another run than this version makes of it confirms nothing.
sed '1s/"fingerprint":"[0-9a-f]*"/"fingerprint":"0123456789abcdef"/' log >old-log
expect_exit 2 "$holdfast" confirm old-log
expect_text err "does not fit this version of holdfast"

expect_exit 2 "$holdfast" confirm
expect_exit 2 "$holdfast" confirm no-such-log
