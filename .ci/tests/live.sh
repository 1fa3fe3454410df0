# Every story of one lock, live: its letter is the one that sim says, and what cannot be run is one sentence.
. "$HOLDFAST_ROOT/.ci/check.sh"
holdfast=$HOLDFAST_ROOT/build/holdfast

# tell STORY: in real time a machine with too much to do can miss a deadline, so a story gets more time then.
tell() {
  local try
  for try in 20 10 4 2 1; do
    if "$holdfast" run "$1" --world live --speed-up $try --expected --json >"$1.$try" 2>&1; then return; fi
  done
  echo "$1 does not come out live as it is expected to:"
  "$holdfast" run "$1" --world live --expected || true
  return 1
}
export -f tell
export holdfast
# Files are simulated ones, so stories about them are not for the live world.
"$holdfast" list scenarios --json >scenarios.json
python3 - <<'END_OF_PYTHON' >stories
import json
for scenario in json.load(open("scenarios.json")):
    if not scenario["family"] and "file" not in scenario["lock"]:
        print(scenario["name"])
END_OF_PYTHON
(($(wc -l <stories) >= 30))
xargs -P 3 -I STORY bash -c 'tell STORY' <stories

expect_exit 1 "$holdfast" run gc-pause-write --world live --history history
expect_text out "they agree"
python3 - <<'END_OF_PYTHON'
import json
lines = [json.loads(line) for line in open("history")]
assert lines[0]["world"] == "live", lines[0]
assert lines[-1]["letter"] == "V" and lines[-1]["servers"].startswith("redis-server"), lines[-1]
END_OF_PYTHON
expect_exit 1 "$holdfast" check history --model owner-mutex

# Where live and sim differ, neither is believed, be the letter as good as it may: real messages do not take two
# seconds.
cat >far.json <<'END_OF_SCENARIO'
{"version": 2, "title": "far away", "about": "Messages take long.", "lock": "redis-px-cad",
 "topology": {"latency": {"least": "2s"}}, "settings": {"command_timeout": "20s"},
 "clients": [{"name": "c1", "work": "0.5 ttl"}, {"name": "c2", "start": "4s"}]}
END_OF_SCENARIO
expect_exit 1 "$holdfast" run far.json
expect_exit 1 "$holdfast" run far.json --world live
expect_text out "live S, sim V: they differ"

# What cannot be.
expect_exit 2 "$holdfast" run family-pause --lock redis-px-cad --world live
expect_text err "choose a step with --place"
expect_exit 2 "$holdfast" run gc-pause-write --world live --log log
expect_text err "leave it out"
expect_exit 2 "$holdfast" run gc-pause-write --world live --confirm
expect_exit 2 "$holdfast" run gc-pause-write --world live --own-failover
expect_text err "nothing to fail over to"
expect_exit 2 "$holdfast" run gc-pause-write --speed-up 5
expect_exit 2 "$holdfast" run gc-pause-write --endpoints 127.0.0.1:6379
expect_text err "is for --world live"
expect_exit 2 "$holdfast" run gc-pause-write --world live --endpoints 127.0.0.1:1
expect_text err "no Redis answers at 127.0.0.1:1"
expect_exit 2 "$holdfast" run gc-pause-write --world live --endpoints here,there
expect_text err "needs 1 server, and --endpoints names 2"
