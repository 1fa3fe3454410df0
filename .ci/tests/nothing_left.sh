# However holdfast ends, the servers and clients it started and their directories are gone.
. "$HOLDFAST_ROOT/.ci/check.sh"

mkdir tmp
export TMPDIR=$PWD/tmp

# What holdfast starts inherits this mark; a redis-server writes its title over it, but runs below tmp.
start_holdfast() { HOLDFAST_STARTED_BY=$PWD exec env --default-signal=INT "$HOLDFAST_ROOT/build/holdfast" "$@"; }

processes_left() {
  grep -lsxz "HOLDFAST_STARTED_BY=$PWD" /proc/[0-9]*/environ || true
  readlink /proc/[0-9]*/cwd | grep -F "$PWD/tmp/" || true
}

nothing_is_left() { [[ -z $(ls -A tmp) && -z $(processes_left) ]]; }

# expect_clean: within some seconds, for a loaded machine.
expect_clean() {
  for _ in {1..200}; do
    if nothing_is_left; then return; fi
    sleep 0.05
  done
  echo "Left behind after $1:"
  ls -R tmp
  processes_left
  exit 1
}

# wait_for COMMAND...: until it is true.
wait_for() {
  for _ in {1..200}; do
    if "$@"; then return; fi
    sleep 0.05
  done
  echo "It did not come to this: $*"
  exit 1
}

for world in warp live; do
  # Which letter it comes to is for other tests.
  "$HOLDFAST_ROOT/build/holdfast" run gc-pause-write --world "$world" >out 2>&1 || (($? == 1))
  nothing_is_left || expect_clean "an ordinary end in $world"
done

# end_with SIGNAL CONDITION ARGUMENTS...: sends it to `holdfast ARGUMENTS` when the condition is true.
end_with() {
  local signal=$1 condition=$2 holdfast
  shift 2
  # A shell lets what it starts in the background ignore SIGINT; env gives it back.
  start_holdfast "$@" >/dev/null 2>&1 &
  holdfast=$!
  wait_for "$condition"
  kill -"$signal" "$holdfast"
  wait "$holdfast" 2>/dev/null || true
  expect_clean "SIG$signal while it did: $*"
}

a_server_runs() { [[ -n $(find tmp -name redis.sock) ]]; }
# A client writes no file, but the controller makes one for each.
clients_run() { [[ -n $(find tmp -name c2.errors) ]]; }

cat >endless.json <<'END'
{"title": "A pause without an end", "about": "C1 stands still for longer than anybody waits.",
 "lock": "redis-px-cad", "clients": 2, "topology": {"replicas": 1},
 "faults": [{"fault": "gc-pause", "on": "c1", "at": {"client": "c1", "point": "worked"}, "for": "100000s"}]}
END

for signal in INT TERM KILL; do
  end_with "$signal" a_server_runs bench warp --runs 1000000000
  end_with "$signal" a_server_runs run endless.json --world live
  end_with "$signal" clients_run run endless.json --world live
done

# A terminal's Ctrl-C, `timeout` and whoever stops a service end the whole group, also while it only starts.
for round in {1..20}; do
  setsid env --default-signal=INT HOLDFAST_STARTED_BY="$PWD" "$HOLDFAST_ROOT/build/holdfast" \
    bench locks --lock redis-px-cad --for 100ms >/dev/null 2>&1 &
  group=$!
  sleep "0.$(printf %03d "$round")"
  if ((round % 2)); then signal=INT; else signal=TERM; fi
  kill -"$signal" -- "-$group" 2>/dev/null || true # it may not lead a group yet
  wait "$group" 2>/dev/null || true
  expect_clean "SIG$signal to its group, in round $round"
done
