#!/usr/bin/env bash
# ./test.sh [OPTION...] [ROOM...]: installs what is missing, builds, runs every test. See usage below.
#
# Three levels: all GoogleTest programs in Debug under AddressSanitizer and UndefinedBehaviorSanitizer, those in Release
# that another compiler and real time could change (harness/decisions/two-compilers.md), and the scripts in .ci/tests.
# A build that fails counts as one failed test, and so does anything that stops a level from reporting.
set -euo pipefail

root=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
# shellcheck source=.ci/packages.sh
. "$root/.ci/packages.sh"
# shellcheck source=.ci/build.sh
. "$root/.ci/build.sh"

passed=0
failed=0
processors=$(nproc)
installing="" # the process that installs packages, if one does
rooms=()      # of which alone the tests run; without any, all tests do
sanitized=""  # whether the tests under sanitizers follow those in Release
building=""   # the process that already builds them
separate=""   # also prove that each file stands alone
proving=""    # the process that does

usage() {
  cat <<'END'
Usage: ./test.sh [--quick] [--thorough] [--separate] [--tidy]
       ./test.sh [--thorough] [--debug] [--separate] ROOM...

Installs missing Debian packages, builds holdfast in Release with GCC (build/) and in Debug with
clang and sanitizers (build-debug/), and runs all tests: each room's under sanitizers, and in
Release those of the kernel, of whole runs, and of real servers and programs, with the scripts of
.ci/tests. The last line is "N passed, N failed".

A room is a folder with a test program of its own: harness/kernel, or kernel for short; a store is
two, redis and (what deals with real servers) redis_server. With rooms, only these are built and
tested, in Release, without the scripts of .ci/tests.

  --quick     all rooms in Release only, without the sanitizers
  --debug     the rooms with sanitizers, instead of in Release
  --thorough  random tests take three to five times as many inputs, and all rooms are tested in
              Release, too
  --separate  also prove that each source file, of all rooms, stands alone: that it includes what
              it uses (minutes the first time, then what changed); CI does
  --tidy      also run clang-tidy over all sources (minutes; installs clang-tidy-19)
  --help      this text

Exit codes: 0 all passed, 1 something failed or nothing ran, 2 bad option or trouble with the set-up.
END
}

main() {
  local quick="" debug="" tidy="" option room
  for option in "$@"; do
    case $option in
      --quick) quick=yes ;;
      --debug) debug=yes ;;
      --thorough) export HOLDFAST_THOROUGH=yes ;;
      --separate) separate=yes ;;
      --tidy) tidy=yes ;;
      --help | -h) usage && exit ;;
      -*) fail "test.sh has no option $option; ./test.sh --help lists what it has." ;;
      *)
        room=$(room_called "$option") || exit
        rooms+=("$room")
        ;;
    esac
  done
  if [[ -n $debug ]] && ((${#rooms[@]} == 0)); then fail "--debug wants a room: ./test.sh tests with sanitizers anyhow."; fi

  install_packages "${build_packages[@]}"
  trap stop_tests INT TERM
  # What only the tests need comes while the compiler works.
  install_packages "${test_packages[@]}" "${server_packages[@]}" &
  installing=$!
  if ((${#rooms[@]} == 0)) && [[ -z $quick ]]; then sanitized=yes; fi
  if [[ -z $debug ]]; then test_preset release build "$(tests_of_release "$quick")"; fi
  if [[ -n $debug || -n $sanitized ]]; then
    wait_for_packages # this compiler is one of them
    test_preset debug build-debug tests
  fi
  if ((${#rooms[@]} == 0)); then test_scripts; fi
  if [[ -n $separate ]]; then finish_separate; fi
  if [[ -n $tidy ]]; then
    install_packages "${tidy_packages[@]}"
    test_tidy
  fi

  echo "$passed passed, $failed failed"
  ((failed == 0 && passed > 0))
}

# room_called WORD: the name of the room that is meant, as CMakeLists.txt knows it.
room_called() {
  local word=${1%/} known
  word=${word#harness/}
  known=$(list_rooms_with_tests)
  if grep -qxF -- "$word" <<<"$known"; then
    echo "$word"
  elif [[ $word == stores/* ]] && grep -qxF -- "$(tr / _ <<<"${word#stores/}")" <<<"$known"; then
    tr / _ <<<"${word#stores/}"
  else
    fail "there is no room $1 with tests$(suggest "$word" "$known"); the rooms are ${known//$'\n'/, }."
  fi
}

# Those of CMakeLists.txt, and each store with real servers, which is two of them: redis and redis_server.
list_rooms_with_tests() {
  local room server
  sed -n '/^set(rooms$/,/)/s/^ *\([a-z/]*\))\{0,1\}$/\1/p' "$root/CMakeLists.txt" | while read -r room; do
    if has_tests "$room"; then basename "$room"; fi
    if [[ $room != harness/stores ]]; then continue; fi
    for server in "$root/$room"/*/server; do
      room=$(basename "$(dirname "$server")")
      if has_tests "harness/stores/$room"; then echo "$room"; fi
      if has_tests "harness/stores/$room/server"; then echo "${room}_server"; fi
    done
  done
}

has_tests() { [[ -n $(find "$root/$1" -name '*_test.cpp' -print -quit 2>/dev/null) ]]; }

# suggest WORD LINES: the line that it takes the fewest letters to change the word into, if that is less than half of it.
suggest() {
  awk -v word="$1" '
    function least(a, b) { return a < b ? a : b }
    { for (i = 0; i <= length(word); i++) row[i] = i
      for (j = 1; j <= length($0); j++) {
        before = row[0]; row[0] = j
        for (i = 1; i <= length(word); i++) {
          above = row[i]
          row[i] = least(before + (substr(word, i, 1) != substr($0, j, 1)), 1 + least(above, row[i - 1]))
          before = above
        }
      }
      if (NR == 1 || row[length(word)] < best) { best = row[length(word)]; answer = $0 } }
    END { if (best * 2 < length(word)) printf ", did you mean %s", answer }' <<<"$2"
}

# tests_of_release QUICK: the target of CMakeLists.txt, and the list beside it, that says which to build and to run.
tests_of_release() {
  if [[ -n $1 || -n ${HOLDFAST_THOROUGH:-} ]]; then echo tests; else echo tests_of_release; fi
}

# test_preset PRESET DIRECTORY TARGET: builds it and runs its test programs, one per room. Each is cut into as many
# shares as there are processors, and the shares wait in one queue, so that no long program is left alone at the end.
# (ctest would start a program once per case; loading a sanitized one takes longer than most cases.)
test_preset() {
  local preset=$1 directory=$root/$2 target=$3 started=$SECONDS
  local programs=("${rooms[@]/#/tests_}")
  if [[ -n $building ]]; then hasten "$building"; fi
  if ! build "$preset" "$2" "${programs[@]:-$target}"; then
    failed=$((failed + 1))
    return
  fi
  wait_for_packages
  # Tests wait for servers and for time more than they compute: what comes next gets what they leave.
  if [[ $preset == release && -n $sanitized ]]; then
    building=$(in_the_gaps build_ahead debug build-debug tests)
  else
    building=""
    if [[ -n $separate ]]; then start_separate; fi
  fi
  if ((${#programs[@]} == 0)); then mapfile -t programs <"$directory/${target/#tests/test_programs}"; fi
  local program share results=$directory/test-results all=0 bad=0 skipped=0 running=0
  rm -rf "$results"
  mkdir "$results"
  for program in "${programs[@]}"; do
    for ((share = 0; share < processors; share++)); do
      if ((running == processors)); then wait_for_one; fi
      run_share "$preset" "$directory" "$program" "$share" &
      running=$((running + 1))
    done
  done
  while ((running > 0)); do wait_for_one; done
  for share in "$results"/*.result; do
    if [[ -e $share ]]; then count_share "${share%.result}"; fi
  done
  if ((all == 0)); then all=1 bad=1; fi # no test at all is no success
  passed=$((passed + all - bad - skipped))
  failed=$((failed + bad))
  echo "$preset: $((all - bad - skipped)) of $all tests passed$(mention_skipped "$skipped"), $((SECONDS - started)) s with the build."
}

wait_for_packages() {
  if [[ -n $installing ]]; then wait "$installing" || exit; fi
  installing=""
}

# Whichever share ends first; how it ended stands beside its report.
wait_for_one() {
  wait -n || true
  running=$((running - 1))
}

run_share() {
  local preset=$1 directory=$2 program=$3 share=$4 result=0 running_pid=""
  local name=$results/$program-$share
  trap 'kill "$running_pid" && wait "$running_pid"; exit 130' INT TERM
  cd "$root"
  # shellcheck disable=SC2046 # two words, or none
  GTEST_SHARD_INDEX=$share GTEST_TOTAL_SHARDS=$processors timeout 1200 $(address_layout "$preset") \
    "$directory/$program" --gtest_output="xml:$name.xml" >"$name.log" 2>&1 </dev/null &
  running_pid=$!
  wait "$running_pid" || result=$?
  echo "$result" >"$name.result"
}

# count_share NAME: adds what NAME.xml says to all, bad and skipped, and shows what failed.
count_share() {
  local here_bad result
  result=$(cat "$1.result")
  all=$((all + $(count_in_report tests "$1.xml")))
  here_bad=$(count_in_report failures "$1.xml")
  if [[ -e $1.xml ]]; then skipped=$((skipped + $(grep -c 'result="skipped"' "$1.xml" || true))); fi
  if ((result != 0 && here_bad == 0)); then # it ended without saying where: the last case it began is at fault
    here_bad=1 all=$((all + 1))
    echo "$(basename "${1%-*}") ended with $result before it could report:"
    tail -n 40 "$1.log"
  elif ((here_bad > 0)); then
    sed -n '/^\[ RUN /{h;d};/^\[       OK/{x;d};H;/^\[  FAILED  \].*ms)$/{x;p}' "$1.log"
  fi
  bad=$((bad + here_bad))
}

# Sanitized programs start themselves anew, or crash, where the kernel spreads addresses over more than 28 bits.
address_layout() {
  local bits=0
  read -r bits 2>/dev/null </proc/sys/vm/mmap_rnd_bits || true
  if [[ $1 == debug ]] && ((bits > 28)) && setarch -R true 2>/dev/null; then echo "setarch -R"; fi
}

# count_in_report ATTRIBUTE FILE: a number of the <testsuites> element that opens GoogleTest's report.
count_in_report() {
  local number
  number=$(sed -nE "s/^<testsuites [^>]*\b$1=\"([0-9]+)\".*/\1/p" "$2" 2>/dev/null) || true
  echo "${number:-0}"
}

mention_skipped() {
  if (($1 > 0)); then echo ", $1 skipped"; fi
}

# Each script in .ci/tests is one test: in a directory of its own, with $HOLDFAST_ROOT to find the
# repository, and exit code 77 to say that it cannot run here. One runs on each processor at a time.
test_scripts() {
  wait_for_packages
  local script started=$SECONDS all=0 good=0 skipped=0 running=0
  for script in "$root"/.ci/tests/*.sh; do
    if [[ ! -e $script ]]; then break; fi # no script at all: the pattern stands for itself
    if ((running == processors)); then count_script; fi
    test_script "$script" &
    running=$((running + 1))
  done
  while ((running > 0)); do count_script; done
  passed=$((passed + good))
  failed=$((failed + all - good - skipped))
  echo "scripts: $good of $all tests passed$(mention_skipped "$skipped"), $((SECONDS - started)) s."
}

# Waits for the next script to end, whichever it is.
count_script() {
  local result=0
  wait -n || result=$?
  running=$((running - 1))
  all=$((all + 1))
  case $result in
    0) good=$((good + 1)) ;;
    77) skipped=$((skipped + 1)) ;;
  esac
}

test_script() (
  scratch=$(mktemp -d)
  trap 'rm -rf "$scratch"' EXIT
  trap 'kill "$script_pid" && wait "$script_pid"; exit 130' INT TERM
  mkdir "$scratch/cwd"
  cd "$scratch/cwd"
  result=0
  HOLDFAST_ROOT=$root TMPDIR=$scratch timeout 300 bash "$1" >"$scratch/log" 2>&1 </dev/null &
  script_pid=$!
  wait "$script_pid" || result=$?
  if ((result != 0 && result != 77)); then
    printf '%s ended with %s:\n%s\n' "${1#"$root"/}" "$result" "$(cat "$scratch/log")"
  fi
  exit "$result"
)

# A test that was started must not outlive this script.
stop_tests() {
  trap '' INT TERM
  local group pids
  for group in $proving $building; do kill -- "-$group" 2>/dev/null || true; done
  mapfile -t pids < <(jobs -p)
  if ((${#pids[@]} > 0)); then kill "${pids[@]}" 2>/dev/null || true; fi
  wait
  exit 130
}

# in_the_gaps COMMAND...: sets it going at the least priority, and says the id of its process group. It is no job of
# this shell, which takes whatever ends for a test that did.
in_the_gaps() {
  set -m
  {
    chrt --idle --pid 0 "$BASHPID" || true
    "$@"
  } </dev/null >/dev/null &
  echo $!
}

# hasten GROUP: it is waited for now, and may do so beside others on a machine that is busy. Twice, for those that it
# starts meanwhile.
hasten() {
  local group=$1 pid
  for _ in 1 2; do
    { cat /proc/[0-9]*/stat 2>/dev/null || true; } | # some have ended since they were listed
      awk -v group="$group" '{ pid = $1; sub(/^.*\) /, ""); if ($3 == group) print pid }' |
      while read -r pid; do chrt --other --pid 0 "$pid" 2>/dev/null || true; done
  done
}

# build_ahead PRESET DIRECTORY TARGET: what test_preset will ask for. It waits for this one, then finds nothing left to
# do, or what failed.
build_ahead() {
  build "$@" 2> >(sed -u '/^Building/!d' >&2) || true
}

# The build is in batches, which hides what a file forgot to include if a neighbour has it. Each file by itself takes
# minutes.
start_separate() {
  rm -f "$root/build/separate".{result,log,errors}
  proving=$(in_the_gaps prove_separate "$root/build/separate")
}

prove_separate() {
  local result=0
  python3 "$root/.ci/stands_alone.py" "$root/build" >"$1.log" 2>"$1.errors" || result=$?
  # Whole from the first moment at which it is there: that is what is waited for.
  echo "$result" >"$1.result.partial"
  mv "$1.result.partial" "$1.result"
}

finish_separate() {
  local started=$SECONDS log=$root/build/separate verdict="every file stands alone"
  if [[ -z $proving ]]; then # nothing was built in Release
    wait_for_packages
    if mkdir -p "$root/build" && configure release "$root/build" >"$root/build/separate.log" 2>&1; then start_separate; fi
  fi
  if [[ -n $proving ]]; then hasten "$proving"; fi
  while [[ -n $proving && ! -e $log.result ]] && kill -0 "$proving" 2>/dev/null; do sleep 0.2; done
  if [[ -e $log.result && $(cat "$log.result") == 0 ]]; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    verdict="a file does not stand alone"
    cat "$log.errors" >&2 || true
  fi
  echo "separate: $verdict, $((SECONDS - started)) s after the tests."
}

test_tidy() {
  local started=$SECONDS tidy=$root/build-tidy verdict="is clean"
  local log=$tidy/tidy.log
  mkdir -p "$tidy"
  if configure tidy "$tidy" >"$log" 2>&1 &&
    run-clang-tidy-19 -quiet -p "$tidy" -j "$processors" >>"$log" 2>&1; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    verdict="complains"
    grep -E -A 3 '(warning|error|note): ' "$log" || tail -n 20 "$log"
  fi
  echo "clang-tidy: $verdict, $((SECONDS - started)) s."
}

main "$@"
