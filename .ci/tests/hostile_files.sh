# Files as an unkind world has them: devices, pipes and links where an output should go, inputs without an end or
# without a writer, descriptors that are closed, kills at any moment, few open files, a TMPDIR with odd characters.
. "$HOLDFAST_ROOT/.ci/check.sh"
holdfast=$HOLDFAST_ROOT/build/holdfast
export HOLDFAST_SCENARIOS=$HOLDFAST_ROOT/scenarios

# expect_one_sentence TEXT: ./err is one line of holdfast's, and has it.
expect_one_sentence() {
  expect_text err "$1"
  if (($(wc -l <err) != 1)) || ! grep -q '^holdfast: ' err; then cat err && exit 1; fi
}

# expect_alone NAME...: nothing else is in ./outputs.
expect_alone() {
  ls -A outputs >left
  expect_content left "$(printf '%s\n' "$@" | sort)"
}

small_matrix=(matrix --lock redis-px-cad --family pause)
"$holdfast" "${small_matrix[@]}" --json cells.json --out data >/dev/null
expect_text cells.json holdfast-matrix
"$holdfast" run gc-pause-write --log story.log >/dev/null || (($? == 1))

# --- Pipes without a partner: ten seconds of waiting, so they wait side by side while the rest goes on.
mkdir pipes
waiting=()
# wait_behind NAME TEXT ARGUMENTS...: it must end by itself, with code 2 and one sentence that has the text.
wait_behind() {
  local name=$1 text=$2
  shift 2
  (
    result=0
    timeout 60 "$holdfast" "$@" >"pipes/$name.out" 2>"pipes/$name.err" || result=$?
    if ((result != 2)) || ! grep -qF -- "$text" "pipes/$name.err"; then
      echo "$name ended with $result and said: $(cat "pipes/$name.err")" && exit 1
    fi
  ) &
  waiting+=($!)
}
mkfifo pipes/{scenario.json,log,baseline,history,json,report.html}
wait_behind scenario "nobody came to write to it" run pipes/scenario.json
wait_behind log "nobody came to write to it" replay pipes/log
wait_behind baseline "nobody came to write to it" "${small_matrix[@]}" --baseline pipes/baseline
wait_behind history "nobody came to write to it" check pipes/history --model owner-mutex
wait_behind json "nobody came to read it" "${small_matrix[@]}" --json pipes/json
has_reports=
if /usr/bin/python3 -c 'import jinja2, matplotlib' 2>/dev/null; then
  has_reports=yes
  wait_behind report "nobody came to read it" report data -o pipes/report.html
fi

# --- Outputs that are no plain files are written to as they are.
# write_everything PLACE: each way to write a file, to that place. A picture's place ends in .svg.
write_everything() {
  "$holdfast" "${small_matrix[@]}" --json "$1" >/dev/null
  "$holdfast" "${small_matrix[@]}" --markdown "$1" >/dev/null
  "$holdfast" "${small_matrix[@]}" --baseline cells.json --junit "$1" >/dev/null
  "$holdfast" envelope redis-px-cad --columns 2 --rows 2 --json "$1" >/dev/null
  "$holdfast" run gc-pause-write --history "$1" >/dev/null || (($? == 1))
  "$holdfast" run gc-pause-write --log "$1" >/dev/null || (($? == 1))
}
mkdir outputs elsewhere
ln -s /dev/null outputs/nowhere
write_everything outputs/nowhere
if [[ ! -L outputs/nowhere || ! -c /dev/null ]]; then ls -l outputs /dev/null && exit 1; fi
expect_alone nowhere
rm outputs/nowhere
if mknod outputs/device c 1 3 2>/dev/null && [[ -w outputs/device ]] && echo >outputs/device; then # as root
  write_everything outputs/device
  if [[ ! -c outputs/device ]]; then ls -l outputs && exit 1; fi
fi
rm -f outputs/device

ln -s ../elsewhere/target outputs/link
echo old >elsewhere/target
chmod 640 elsewhere/target
write_everything outputs/link
if [[ ! -L outputs/link || -L elsewhere/target || $(stat -c %a elsewhere/target) != 640 ]]; then
  ls -l outputs elsewhere && exit 1
fi
expect_text elsewhere/target holdfast-choices # what was written last
expect_alone link
rm outputs/link

mkfifo outputs/pipe
cat outputs/pipe >read.json &
"$holdfast" "${small_matrix[@]}" --json outputs/pipe >/dev/null
wait $!
cmp read.json cells.json
if [[ ! -p outputs/pipe ]]; then ls -l outputs && exit 1; fi
rm outputs/pipe

# Its own standard output, which is a file: what is printed comes behind.
"$holdfast" "${small_matrix[@]}" --json /dev/stdout >both
head -c "$(wc -c <cells.json)" both | cmp - cells.json
expect_text both "Nothing disagrees"

# A baseline that is a device or a pipe has nothing to be kept: nobody reads from our own standard output.
timeout 20 "$holdfast" "${small_matrix[@]}" --update-baseline --baseline /dev/stdout | cat >both
expect_text both holdfast-matrix
# A descriptor that is not there is told before the work.
expect_exit 2 "$holdfast" "${small_matrix[@]}" --json /dev/fd/99
expect_content out ""

for place in outputs elsewhere/target/deep missing/deep /dev/full; do
  expect_exit 2 "$holdfast" "${small_matrix[@]}" --json "$place"
  expect_one_sentence "cannot write the matrix to $place: "
done
expect_alone

# The Python side has the same rules.
if [[ -n $has_reports ]]; then
  ln -s /dev/null outputs/picture.svg
  "$holdfast" run gc-pause-write --picture outputs/picture.svg >/dev/null || (($? == 1))
  "$holdfast" report data -o outputs/picture.svg --markdown outputs/picture.svg >/dev/null
  if [[ ! -L outputs/picture.svg || ! -c /dev/null ]]; then ls -l outputs /dev/null && exit 1; fi
  expect_alone picture.svg
  rm outputs/picture.svg
  "$holdfast" report data -o /dev/stdout >page.html
  expect_text page.html "</html>"
  expect_last=$(tail -n 1 page.html)
  if [[ $expect_last != *"</html>"* ]]; then echo "behind the page stands: $expect_last" && exit 1; fi
  expect_exit 2 "$holdfast" run gc-pause-write --history /dev/null --picture outputs/picture.svg
  expect_one_sentence "cannot be read again from /dev/null"
  mkdir long
  python3 - <<'END'
import json
matrix = json.load(open("cells.json"))
matrix["cells"][0]["lock"] = "x" * 5000
json.dump(matrix, open("long/matrix.json", "w"))
END
  expect_exit 2 "$holdfast" report long -o outputs/page.html
  expect_one_sentence '"lock" is longer than'
  expect_exit 2 "$holdfast" report "$(printf 'x%.0s' {1..5000})" -o outputs/page.html
  expect_text err "holdfast: "
  expect_alone
fi

# --- Standard streams that cannot be written to, or are not there.
for streams in '2>/dev/full' '2>&-' '>&- 2>&-' '<&- >&- 2>&-' '>/dev/full 2>/dev/full'; do
  expect_exit 2 bash -c "\"\$0\" run nope $streams" "$holdfast"
done
for streams in '>/dev/full' '>&-' '<&- >&-'; do
  expect_exit 2 bash -c "\"\$0\" list locks $streams" "$holdfast"
  expect_one_sentence "cannot write to standard output"
done
# The next file that is opened is not taken for standard error.
bash -c '"$0" "${@}" --json outputs/json >/dev/null 2>&-' "$holdfast" "${small_matrix[@]}"
cmp outputs/json cells.json
rm outputs/json

# --- Inputs without an end, too large, or cut.
# A pipe with a writer is as good as a file.
"$holdfast" "${small_matrix[@]}" --baseline <(cat cells.json) >/dev/null
for baseline in outputs /dev/zero; do
  expect_exit 2 timeout 20 "$holdfast" "${small_matrix[@]}" --baseline "$baseline"
  expect_one_sentence "cannot read the baseline $baseline: it is"
done
python3 - <<'END'
keys = ",".join(f'"k{key}":1' for key in range(60000))
open("keys.json", "w").write("{" + keys + "}")
open("deep.json", "w").write("[" * 400000)
open("line.jsonl", "w").write('{"format":"holdfast-history",' + keys + "}\n")
END
expect_exit 2 timeout 5 "$holdfast" run ./keys.json
expect_one_sentence "keys.json"
for file in keys.json deep.json; do
  expect_exit 2 timeout 5 "$holdfast" "${small_matrix[@]}" --baseline "$file"
  expect_one_sentence "is no matrix in JSON"
  expect_exit 2 timeout 5 "$holdfast" replay "$file"
done
timeout 5 "$holdfast" check line.jsonl --model owner-mutex >/dev/null 2>&1 || (($? != 124))
mkdir -p cut/pieces
cp keys.json cut/pieces/a.json
expect_exit 2 timeout 5 "$holdfast" merge cut
expect_one_sentence "remove it"
cp deep.json cut/pieces/a.json
expect_exit 2 timeout 5 "$holdfast" merge cut
expect_one_sentence "remove it"
: >cut/pieces/a.json
expect_exit 2 timeout 5 "$holdfast" merge cut
expect_one_sentence "remove it"

# --- Kills at any moment: the old file or the new one, and nothing beside it; nothing in TMPDIR.
mkdir tmp
export TMPDIR=$PWD/tmp
echo old >outputs/history
cat >long.json <<'END'
{"title": "Again and again", "about": "A long history.", "lock": "redis-px-cad", "clients": 3, "time_limit": "100min",
 "workload": {"rounds": 3000, "work": "1ms", "pause": "0ms"}}
END
# kill_after SECONDS SIGNAL ARGUMENTS...
kill_after() {
  local seconds=$1 signal=$2 pid
  shift 2
  env --default-signal=INT,QUIT "$holdfast" "$@" >/dev/null 2>&1 &
  pid=$!
  sleep "$seconds"
  kill -"$signal" "$pid" 2>/dev/null || true
  wait "$pid" 2>/dev/null || true
}
for signal in INT TERM HUP KILL; do
  for seconds in 0.01 0.03 0.06 0.1; do
    kill_after "$seconds" "$signal" run ./long.json --history outputs/history
    expect_alone history
    if [[ $(head -c 3 outputs/history) != old ]]; then tail -n 1 outputs/history | grep -q '"type":"end"'; fi
  done
  kill_after 0.3 "$signal" bench check --operations 1000000
  ls -A tmp >left
  expect_content left ""
done

# Few open files: a sentence, and nothing left.
if command -v redis-server >/dev/null; then
  for command in "run gc-pause-write --world warp" "run gc-pause-write --world live" \
    "bench locks --lock redis-px-cad --clients 1 --for 50ms"; do
    for limit in 5 8 11; do
      # shellcheck disable=SC2086 # words of a command
      (ulimit -n "$limit" && "$holdfast" $command >out 2>err) && echo "$limit were enough" >err
      for _ in {1..100}; do
        if [[ -z $(ls -A tmp) ]]; then break; fi
        sleep 0.05
      done
      ls -A tmp >left
      expect_content left ""
      if (($(wc -l <err) != 1)); then cat err && exit 1; fi
    done
  done

  # --- A TMPDIR that the loader and redis.conf cannot say, or that is too long for a socket, or is not there.
  long=$(printf 'x%.0s' {1..150})
  mkdir "tmp/blanks and \"quotes\" and 'others': \\" "tmp/$long"
  for place in "tmp/blanks and \"quotes\" and 'others': \\" "tmp/$long" tmp/missing; do
    for world in warp live; do
      TMPDIR=$PWD/$place "$holdfast" run gc-pause-write --world "$world" >out 2>err || (($? == 1)) || { cat err && exit 1; }
      expect_content err ""
      if [[ -d $place && -n $(ls -A "$place") ]]; then ls -A "$place" && exit 1; fi
    done
    TMPDIR=$PWD/$place "$holdfast" bench check --operations 1000 >out
  done
fi

for job in "${waiting[@]}"; do wait "$job"; done
