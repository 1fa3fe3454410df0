# The same seeds give the same runs in Release and in Debug, and wherever the system puts the program
# in memory.
. "$HOLDFAST_ROOT/.ci/check.sh"

release=$HOLDFAST_ROOT/build/tests_run
debug=$HOLDFAST_ROOT/build-debug/tests_run
if [[ ! -x $release ]]; then
  echo "There is no Release build to ask."
  exit 77
fi

# ask_digest COMMAND...: sets $digest to the number that stands for what all locks do, as this test binary
# sees it.
ask_digest() {
  HOLDFAST_PRINT_DIGEST=1 expect_exit 0 "$@" --gtest_filter='FingerprintDigest.*'
  digest=$(sed -n 's/^digest: //p' out)
}

# expect_digest DIGEST COMMAND...
expect_digest() {
  local expected=$1
  shift
  ask_digest "$@"
  if [[ $digest == "$expected" ]]; then return; fi
  printf 'Expected the digest %s, got %s, from: %s\n' "$expected" "$digest" "$*"
  exit 1
}

ask_digest "$release"
expected=$digest
if [[ ! $expected =~ ^[0-9a-f]{16}$ ]]; then
  printf 'Expected a digest of 16 hexadecimal digits, got "%s".\n' "$expected"
  exit 1
fi
expect_digest "$expected" "$release"

fixed_layout=()
if setarch -R true 2>/dev/null; then
  fixed_layout=(setarch -R)
  expect_digest "$expected" setarch -R "$release"
fi

# After ./test.sh --quick the Debug build is missing or that of older sources.
if [[ ! -x $debug ]]; then exit 0; fi
newer=$(find "$HOLDFAST_ROOT"/{harness,locks,faults} \( -name '*.cpp' -o -name '*.h' \) -newer "$debug" -print -quit)
if [[ -n $newer ]]; then exit 0; fi
expect_digest "$expected" "${fixed_layout[@]}" "$debug"
