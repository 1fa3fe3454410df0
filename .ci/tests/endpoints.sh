# A server of the user's: what a run does there is gone afterwards, however the run ends, and all else stays as it was.
. "$HOLDFAST_ROOT/.ci/check.sh"
holdfast=$HOLDFAST_ROOT/build/holdfast
mkdir tmp
export TMPDIR=$PWD/tmp

# The user's server, in a directory and on a port of the test's own.
server=
stop_server() {
  if [[ -n $server ]]; then
    kill "$server" 2>/dev/null || true
    wait "$server" || true
  fi
  server=
}
trap stop_server EXIT
ask() { redis-cli -p "$port" "$@"; }
mkdir data
for _ in {1..20}; do
  port=$((20000 + RANDOM % 12000))
  redis-server --port "$port" --bind 127.0.0.1 --dir "$PWD/data" --save "" --logfile log --databases 2 &
  server=$!
  # Another program's port makes it end.
  for _ in {1..100}; do
    if ! kill -0 "$server" 2>/dev/null || [[ $(ask INFO server 2>&1) == *process_id:$server$'\r'* ]]; then break; fi
    sleep 0.05
  done
  if kill -0 "$server" 2>/dev/null; then break; fi
  stop_server
done
[[ -n $server ]]
endpoint=127.0.0.1:$port

# wait_for COMMAND...: until it is true.
wait_for() {
  for _ in {1..200}; do
    if "$@"; then return; fi
    sleep 0.05
  done
  echo "It did not come to this: $*"
  ask KEYS '*'
  exit 1
}

put_something_there() {
  ask SET lock "another program's" >out
  ask SET holdfast:mine 1 >out # looks like ours, but has no mark
  ask RPUSH queue a b >out
  ask -n 1 SET elsewhere 1 >out
}
theirs() { ask MGET lock holdfast:mine && ask LRANGE queue 0 -1 && ask -n 1 GET elsewhere; }
ours() { ask --raw KEYS '*holdfast:[0-9a-f]*:*'; }
ours_are_there() { [[ -n $(ours) ]]; }
ours_are_gone() { [[ -z $(ours) ]]; }
expect_theirs_as_before() {
  theirs >after
  cmp before after
  [[ $(ask DBSIZE) == 3 ]]
}
put_something_there
theirs >before

expect_exit 1 "$holdfast" run gc-pause-write --world live --endpoints "$endpoint"
expect_text out "they agree"
expect_text out "$endpoint"
ours_are_gone
expect_theirs_as_before

# c1 holds the lock, without a time to live, for longer than anybody waits.
cat >endless.json <<'END'
{"title": "A pause without an end", "about": "C1 stands still for longer than anybody waits.",
 "lock": "redis-setnx", "clients": 2,
 "faults": [{"fault": "gc-pause", "on": "c1", "at": {"client": "c1", "point": "worked"}, "for": "100000s"}]}
END
for signal in INT TERM KILL; do
  # A shell lets what it starts in the background ignore SIGINT; env gives it back.
  env --default-signal=INT "$holdfast" run endless.json --world live --endpoints "$endpoint" >out 2>&1 &
  run=$!
  wait_for ours_are_there
  kill -"$signal" "$run"
  wait "$run" 2>/dev/null || true
  wait_for ours_are_gone
  expect_theirs_as_before
done

# Who cleans up is killed with the run: what stays has a time to live, and clean removes it.
env "$holdfast" run endless.json --world live --endpoints "$endpoint" >out 2>&1 &
run=$!
wait_for ours_are_there
key=$(ours | head -n 1)
has_a_time_to_live() { (($(ask PTTL "$key") > 0)); }
wait_for has_a_time_to_live
read -ra children <"/proc/$run/task/$run/children" || true # it has no end of line
((${#children[@]} >= 3)) # two clients, and who cleans up
kill -KILL "${children[@]}" "$run"
wait "$run" 2>/dev/null || true
ours_are_there
has_a_time_to_live
expect_exit 0 "$holdfast" clean --endpoints "$endpoint" --store redis
expect_text out "$key"
ours_are_gone
expect_theirs_as_before
expect_exit 0 "$holdfast" clean --endpoints "$endpoint"
expect_content out "$endpoint: 0 keys removed"

# One that stops answering in the middle of a run is not told as safe.
sed 's/100000s/40s/' endless.json >paused.json # two seconds, time to look
timeout 60 "$holdfast" run paused.json --world live --endpoints "$endpoint" >out 2>err &
run=$!
wait_for ours_are_there
kill -STOP "$server"
result=0
wait "$run" || result=$?
kill -CONT "$server"
[[ $result == 2 ]]
expect_text err "no Redis answers at $endpoint: nothing came for 2 s"
expect_exit 0 "$holdfast" clean --endpoints "$endpoint"
expect_theirs_as_before

# Where nobody may look for keys, that is said.
ask SET "holdfast:18e8f7890ec07dcf:lock" x >out
ask ACL SETUSER default -scan >out
expect_exit 3 "$holdfast" clean --endpoints "$endpoint"
expect_text out "there may be more: the server at $endpoint does not let us look for keys"
ask ACL SETUSER default +scan >out
expect_exit 0 "$holdfast" clean --endpoints "$endpoint"
expect_text out "1 key removed"
expect_theirs_as_before

# A password is asked for, and read from where redis-cli reads it.
ask CONFIG SET requirepass secret >out
expect_exit 2 "$holdfast" clean --endpoints "$endpoint"
expect_text err "wants a password; give it in \$REDISCLI_AUTH"
export REDISCLI_AUTH=secret
expect_exit 0 "$holdfast" clean --endpoints "$endpoint"
expect_exit 1 "$holdfast" run gc-pause-write --world live --endpoints "$endpoint"
expect_theirs_as_before

# What cannot be.
expect_exit 2 "$holdfast" clean
expect_text err "clean wants to know where"
expect_exit 2 "$holdfast" clean --endpoints ""
expect_text err "is given, but empty"
expect_exit 2 "$holdfast" clean --endpoints "$endpoint" --store local
expect_text err 'no store with servers of yours called "local"'
expect_exit 2 "$holdfast" run gc-pause-write --lock redlock --world live \
  --endpoints "$endpoint,$endpoint,$endpoint,$endpoint,$endpoint"
expect_text err "are the same server"
