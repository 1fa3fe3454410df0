# Exploring: the same findings on any number of jobs and shards, resumed where it was interrupted; what is found
# is shrunk, goes into scenarios/ as it is, and is confirmed by the real server.
. "$HOLDFAST_ROOT/.ci/check.sh"
holdfast=$HOLDFAST_ROOT/build/holdfast

# expect_one_sentence TEXT: ./err is one line of the program, with the text in it.
expect_one_sentence() {
  expect_text err "$1"
  if (($(wc -l <err) == 1)) && grep -q '^holdfast: ' err; then return; fi
  printf 'Expected one sentence, got:\n'
  cat err
  exit 1
}

# expect_not FILE TEXT: the text does not stand in the file.
expect_not() {
  if ! grep -qF -- "$2" "$1"; then return; fi
  printf 'Did not expect "%s" in %s\n' "$2" "$1"
  exit 1
}

expect_exit 1 "$holdfast" explore --lock redis-px-cad --runs 6000 --jobs 1 --out one
expect_text out "by swarm: 6000 runs"
expect_exit 1 "$holdfast" explore --lock redis-px-cad --runs 6000 --jobs 2 --out two
for shard in 1 2 3; do
  expect_exit 1 "$holdfast" explore --lock redis-px-cad --runs 6000 --shard $shard/3 --out shard$shard
done
expect_exit 1 "$holdfast" merge shard3 shard1 shard2 --out merged
cmp one/campaign.json two/campaign.json
cmp one/campaign.json merged/campaign.json
diff -r one/findings two/findings
diff -r one/findings merged/findings

# The same for several locks and strategies, one of which learns, whatever the order of anything.
several=(--lock redlock --lock redis-setnx --lock mutant-px-get-del --runs 600)
expect_exit 1 "$holdfast" explore "${several[@]}" --strategy mutate --strategy swarm --jobs 1 --out several
for shard in 1 2; do
  expect_exit 1 "$holdfast" explore "${several[@]}" --strategy swarm --strategy mutate --shard $shard/2 --out several$shard
done
expect_exit 1 "$holdfast" merge several2 several1 several1 --out several-merged
cmp several/campaign.json several-merged/campaign.json

# What is there already is not done again: a piece that says it had no finding is believed.
cp -r one resumed
rm -r resumed/campaign.json resumed/findings
pieces=(resumed/pieces/*)
rm "${pieces[0]}"
expect_exit 1 "$holdfast" explore --lock redis-px-cad --runs 6000 --out resumed
expect_text out "500 runs in "
expect_text out "; 5500 runs had been done before"
cmp one/campaign.json resumed/campaign.json
# More runs go on, and fewer are taken from what is there; the last piece of 6100 is a short one.
expect_exit 1 "$holdfast" explore --lock redis-px-cad --runs 6100 --out resumed
expect_text out "100 runs in "
expect_exit 1 "$holdfast" explore --lock redis-px-cad --runs 6500 --out resumed
expect_text out "500 runs in "
expect_exit 1 "$holdfast" explore --lock redis-px-cad --runs 6100 --out resumed
expect_text out "by swarm: 6100 runs"
expect_exit 1 "$holdfast" explore --lock redis-px-cad --runs 6500 --out resumed
expect_last_line "6500 runs had been done before"
expect_exit 1 "$holdfast" explore --lock redis-px-cad --runs 6000 --out resumed
cmp one/campaign.json resumed/campaign.json
expect_exit 2 "$holdfast" explore --lock redis-px-cad --runs 6000 --seed 2 --out one
expect_one_sentence "belongs to another exploration (or another version of holdfast); choose another --out, or remove it"

# Time makes the same pieces: one exploration goes on with another, and no shard is idle.
expect_exit 1 "$holdfast" explore --lock redis-px-cad --for 500ms --out timed
expect_exit 1 "$holdfast" explore --lock redis-px-cad --for 500ms --jobs 3 --out timed
expect_text out "had been done before"
expect_exit 1 "$holdfast" explore --lock redis-px-cad --runs 6000 --out timed
expect_text out "had been done before"
cmp one/campaign.json timed/campaign.json
for shard in 1 2 3; do
  expect_exit 1 "$holdfast" explore --lock redis-px-cad --for 300ms --shard $shard/3 --out timed$shard
done
expect_exit 1 "$holdfast" merge timed1 timed2 timed3
# What learns is cut, told and not kept; other strategies have a part of the time too.
expect_exit 1 "$holdfast" explore --lock redis-px-cad --strategy mutate --strategy swarm --for 600ms --jobs 1 --out cut
expect_text out "redis-px-cad by mutate: "
expect_not out "no time was left"
learned=(cut/pieces/*mutate*)
[[ ! -e ${learned[0]} ]]
expect_exit 0 "$holdfast" explore --lock redis-px-cad --strategy mutate --for 1s --shard 2/2 --out idle
expect_content out "shard 2/2 has nothing to do: there are fewer pieces of work than shards"

# A scenario that was changed since is another one, and so is one that calls its clients otherwise: both for who
# goes on and for who merges.
cat >friends.json <<'END'
{"title": "Friends", "about": "Two with names.", "lock": "redis-px-cad", "any_lock": true,
 "clients": [{"name": "alice"}, {"name": "bob", "start": "100ms"}]}
END
for _ in first again; do
  expect_exit 1 "$holdfast" explore --lock redis-px-cad --scenario ./friends.json --runs 700 --out friends
done
expect_last_line "700 runs had been done before"
expect_exit 1 "$holdfast" merge friends --out friends-merged
cmp friends/campaign.json friends-merged/campaign.json
expect_text out "--gc-pause--friends.json"
sed -i 's/100ms/200ms/' friends.json
expect_exit 2 "$holdfast" explore --lock redis-px-cad --scenario ./friends.json --runs 700 --out friends
expect_one_sentence "belongs to another exploration"
expect_exit 2 "$holdfast" merge friends
expect_one_sentence "was made with another version of holdfast, or ./friends.json has changed since"
rm friends.json
expect_exit 2 "$holdfast" merge friends
expect_one_sentence "friends.json"

# Parts that do not fit together, and files that are no parts.
expect_exit 1 "$holdfast" explore --lock redis-px-cad --runs 700 --out short
expect_exit 1 "$holdfast" merge short one --json
cp out merged.json
expect_exit 1 "$holdfast" merge one short --json
cmp out merged.json
python3 - <<'END'
import json
assert json.load(open("merged.json"))["runs"] == 6000, "the longer of two pieces stands"
piece = json.load(open("short/pieces/redis-px-cad--swarm--500.json"))
piece["first"] += 100
for finding in piece["findings"]:
    finding["run"] += 100
json.dump(piece, open("edited.json", "w"))
del piece["checksum"]
checksum = 0xcbf29ce484222325  # FNV-1a
for byte in json.dumps(piece, separators=(",", ":"), ensure_ascii=False).encode():
    checksum = (checksum ^ byte) * 0x100000001b3 % 2**64
json.dump(piece | {"checksum": f"{checksum:016x}"}, open("short/pieces/redis-px-cad--swarm--500.json", "w"))
END
expect_exit 2 "$holdfast" merge short one
expect_one_sentence "overlap"
cp edited.json short/pieces/redis-px-cad--swarm--500.json # all of it could be true, but for the checksum
expect_exit 2 "$holdfast" merge short
expect_one_sentence "cut short or changed; remove it"
echo '{"format": "holdfast-exploration", "version": 5}' >short/pieces/redis-px-cad--swarm--500.json
expect_exit 2 "$holdfast" merge short
expect_one_sentence "cut short or changed; remove it"
expect_exit 2 "$holdfast" explore --lock redis-px-cad --runs 700 --out short
expect_one_sentence "cut short or changed; remove it"
echo '{"format": "holdfast-exploration", "version": 2}' >short/pieces/redis-px-cad--swarm--500.json
expect_exit 2 "$holdfast" explore --lock redis-px-cad --runs 700 --out short
expect_one_sentence "perhaps one of an older holdfast; remove it"
rm short/pieces/redis-px-cad--swarm--500.json # as the sentence says
expect_exit 1 "$holdfast" explore --lock redis-px-cad --runs 700 --out short
mkdir -p nothing/pieces
expect_exit 2 "$holdfast" merge nothing
expect_one_sentence "there is no piece of an exploration in nothing"
touch file
for place in file/deep /proc/nowhere; do
  expect_exit 2 "$holdfast" merge one --out "$place"
  expect_one_sentence "cannot write to $place"
  expect_exit 2 "$holdfast" explore --lock redis-px-cad --runs 10 --out "$place"
  expect_one_sentence "cannot write to $place"
done

# Explorations of the same lock by the same strategy side by side: no file of one is the other's.
expect_exit 1 "$holdfast" explore --lock redis-px-cad --runs 500 --seed 7 --out seven
expect_exit 1 "$holdfast" explore --lock redis-px-cad --runs 500 --scenario family-pause --out paused
expect_exit 1 "$holdfast" explore --lock redis-px-cad --runs 500 --faults 1 --out single
expect_exit 1 "$holdfast" merge one seven paused single --out side
python3 - <<'END'
import json, pathlib
told = [finding["command"].split()[-1] for target in json.load(open("side/campaign.json"))["targets"]
        for finding in target["findings"]]
assert len(told) == len(set(told)), told
assert all(pathlib.Path("side", path).is_file() for path in told), told
for part in ("--seed7.", "--family-pause.", "-2."):
    assert any(part in path for path in told), (part, told)
END

# Every kind of finding is there, not one a letter; every file of it loads and comes to its letter.
for lock in redis-setnx redis-px-del redis-px-cad-wait redis-watchdog redlock redisson-fenced file-lock-excl; do
  expect_exit 1 "$holdfast" explore --lock $lock --runs 1000 --out kinds
  expect_not out "did not come out again"
done
cat >check_findings.py <<'END'
import json, pathlib, subprocess, sys
holdfast, *directories = sys.argv[1:]
checked, locks = 0, set()
for directory in directories:
    for path in sorted(pathlib.Path(directory, "findings").iterdir()):
        lock, _, letter, _ = path.stem.split("--")[:4]
        for words in ([["run", "--seed", seed] for seed in "123"] if path.suffix == ".json" else [["replay"]]):
            done = subprocess.run([holdfast, words[0], path, *words[1:], "--json"], capture_output=True, text=True)
            assert done.returncode == 1, (path, done.stderr)
            assert json.loads(done.stdout)["letter"] == letter, (path, done.stdout)
        checked += 1
        locks.add(lock)
assert len(locks) >= 6 and checked > 40, (locks, checked)
END
python3 check_findings.py "$holdfast" one side kinds
for kind in V--gc-pause V--clock-jump L--crash; do
  [[ -f one/findings/redis-px-cad--swarm--$kind.json ]]
done
expect_exit 1 "$holdfast" explore --lock redis-setex --runs 100 --out setex
[[ -f setex/findings/redis-setex--swarm--V--no-fault.json ]]

# The story is small, and it is one with any seed.
story=one/findings/redis-px-cad--swarm--V--gc-pause.json
for seed in 1 2 3; do expect_exit 0 "$holdfast" run "$story" --seed $seed --expected; done
expect_exit 1 "$holdfast" run "$story" --confirm
expect_text out "confirmed on redis-server"
expect_exit 1 "$holdfast" replay "${story%.json}.log"

# The commands on the terminal work from here, those in campaign.json from its directory.
expect_exit 1 "$holdfast" explore --lock redis-px-cad --runs 500 --out json/deep --json
python3 - <<'END'
import json
printed, kept = (json.load(open(path))["targets"][0]["findings"] for path in ("out", "json/deep/campaign.json"))
assert printed and len(printed) == len(kept)
for one, other in zip(printed, kept):
    assert one["shrunk"] is True
    assert one["command"].split()[2] == "json/deep/" + other["command"].split()[2], (one, other)
END

# Without files each finding has a command that makes its run again, whatever the options were.
cat >check_commands.py <<'END'
import re, shlex, subprocess, sys
holdfast = sys.argv[1]
lines = open("out").read().splitlines()
found = [(lines[at - 1].split()[0], line.strip()) for at, line in enumerate(lines) if "holdfast explore" in line]
assert found, lines
for letter, command in found:
    again = subprocess.run([holdfast, *shlex.split(command)[1:]], capture_output=True, text=True)
    assert again.returncode == 1, (command, again.stderr)
    assert re.search(rf"^  {letter}  ", again.stdout, re.M) and command in again.stdout, (command, again.stdout)
END
expect_exit 1 "$holdfast" explore --lock redis-px-cad --runs 400
expect_text out "holdfast explore --lock redis-px-cad --strategy swarm --run "
python3 check_commands.py "$holdfast"
expect_exit 1 "$holdfast" explore --lock redis-watchdog --runs 400 --strategy mutate --strategy random --seed 5 --clients 4 --rounds 2 --faults 3
expect_text out " --seed 5 --clients 4 --rounds 2 --faults 3"
python3 check_commands.py "$holdfast"
mkdir 'a place'
cp "$HOLDFAST_ROOT/scenarios/gc-pause-write.json" 'a place/it.json'
expect_exit 1 "$holdfast" explore --lock redis-px-cad --runs 50 --scenario 'a place/it.json'
expect_text out "--scenario 'a place/it.json'"
python3 check_commands.py "$holdfast"
expect_exit 0 "$holdfast" explore --lock redis-px-cad --strategy every-step --run 0
expect_text out "S  safe"
expect_text out "holdfast explore --lock redis-px-cad --strategy every-step --run 0"
expect_exit 2 "$holdfast" explore --lock redis-px-cad --strategy every-step --run 100000000
expect_one_sentence "there is no run 100000000"
expect_exit 2 "$holdfast" explore --lock 'redis-px-*' --run 1
expect_one_sentence "--run wants one lock and one strategy"
expect_exit 2 "$holdfast" explore --lock redis-px-cad --run 1 --runs 7
expect_one_sentence "--run makes a single run"

# Memory does not grow with the number of runs.
most_memory() {
  python3 -c 'import resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)' "$@"
}
few=$(most_memory "$holdfast" explore --lock redis-px-cad --runs 4000)
many=$(most_memory "$holdfast" explore --lock redis-px-cad --runs 80000)
((many < few + few / 4)) || { printf '%s KB for 4000 runs, %s KB for 80000\n' "$few" "$many" && exit 1; }

expect_exit 0 "$holdfast" explore --lock redis-px-cad --strategy exhaustive --faults 0
expect_text out "no violation within: 2 clients, 1 round, 0 faults"
expect_text out "all of them but for other times of messages than the one that all take; "
expect_exit 0 "$holdfast" explore --lock redis-px-cad --scenario family-client-clock --strategy exhaustive --faults 2
expect_text out "no violation within: 2 clients, 1 round, 2 faults"
expect_exit 1 "$holdfast" explore --lock redis-set-ex-no-nx --strategy exhaustive --faults 0
expect_text out "all there is within: 2 clients, 1 round, 0 faults"
expect_exit 1 "$holdfast" explore --lock redis-px-cad --strategy every-step
expect_text out "all there is with each fault at each step: 3 clients, 1 fault, "
expect_exit 0 "$holdfast" explore --lock redis-px-cad --scenario family-client-clock --strategy every-step
expect_text out "no violation with each fault at each step: 3 clients, 1 fault, "

expect_exit 0 "$holdfast" envelope redis-px-cad --rows 3 --columns 9 --json envelope.json
expect_text envelope.json "a pause of the holder at the worst moment: up to 9.9"
python3 -c 'import json; assert len(json.load(open("envelope.json"))["letters"]) == 3'

# Bad input.
expect_exit 2 "$holdfast" explore --strategy swam
expect_text err 'did you mean "swarm"'
expect_exit 2 "$holdfast" explore --shard 3/2
for time in tomorrow nans infs 0s -1s 241h 1e300h; do
  expect_exit 2 "$holdfast" explore --for $time
  expect_one_sentence "--for takes a time"
done
expect_exit 2 "$holdfast" explore --runs 10 --for 1s
expect_one_sentence "--runs and --for exclude each other"
expect_exit 2 "$holdfast" explore --runs 1000000001
expect_one_sentence "--runs takes a whole number from 1 to 1000000000"
for option in --clients --rounds; do
  expect_exit 2 "$holdfast" explore --lock redis-px-cad --scenario gc-pause-write $option 2
  expect_one_sentence "--clients and --rounds are for families"
done
cp "$HOLDFAST_ROOT/scenarios/gc-pause-write.json" $'\xff.json'
expect_exit 2 "$holdfast" explore --lock redis-px-cad --scenario ./$'\xff.json' --runs 10 --out strange
expect_one_sentence "is not printable UTF-8"
expect_exit 2 "$holdfast" merge nowhere
expect_exit 2 "$holdfast" envelope redis-px-cad --x pause --y pause
expect_exit 2 "$holdfast" envelope redisson-latch
