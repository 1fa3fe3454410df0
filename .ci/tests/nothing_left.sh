# However holdfast ends, the servers it started and their directories are gone.
. "$HOLDFAST_ROOT/.ci/check.sh"

mkdir tmp
export TMPDIR=$PWD/tmp

nothing_is_left() { [[ -z $(ls -A tmp) ]] && ! pgrep -f "$PWD/tmp" >/dev/null; }

# expect_clean: within some seconds, for a loaded machine.
expect_clean() {
  for _ in {1..200}; do
    if nothing_is_left; then return; fi
    sleep 0.05
  done
  echo "Left behind after $1:"
  ls -R tmp
  pgrep -af "$PWD/tmp"
  exit 1
}

expect_exit 1 "$HOLDFAST_ROOT/build/holdfast" run gc-pause-write --world warp
nothing_is_left || expect_clean "an ordinary end"

for signal in INT TERM KILL; do
  # A shell lets what it starts in the background ignore SIGINT; env gives it back.
  env --default-signal=INT "$HOLDFAST_ROOT/build/holdfast" bench warp --runs 1000000000 >/dev/null 2>&1 &
  holdfast=$!
  for _ in {1..200}; do
    if [[ -n $(ls tmp/*/redis.sock 2>/dev/null) ]]; then break; fi
    sleep 0.05
  done
  [[ -n $(ls tmp/*/redis.sock) ]]
  kill -"$signal" "$holdfast"
  wait "$holdfast" 2>/dev/null || true
  expect_clean "SIG$signal"
done
