# Every scenario, and every line of the histories of a few runs, is what its JSON Schema says; what is not is refused by
# it and by the program alike, and what only looks odd by neither. The schema, the tables of the
# documents and the example in the repository are what the program writes.
. "$HOLDFAST_ROOT/.ci/check.sh"

cat >check.py <<'END'
import copy, json, pathlib, subprocess, sys
from jsonschema import Draft202012Validator

root = pathlib.Path(sys.argv[1])


def validator(path):
    schema = json.loads((root / path).read_text())
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


failures = 0


def expect(valid, value, what, check):
    global failures
    errors = [f"{'/'.join(map(str, e.absolute_path))}: {e.message[:200]}" for e in check.iter_errors(value)]
    if bool(errors) == valid:
        failures += 1
        print(f"{what}: {'; '.join(errors) or 'was not refused'}")


scenario = validator("scenarios/scenario.schema.json")
files = [f for f in sorted((root / "scenarios").glob("*.json"))
         if not f.name.endswith(".schema.json") and f.name not in ("expected.json", "survivors.json")]
if not files:
    sys.exit("there is no scenario")
for file in files:
    expect(True, json.loads(file.read_text()), file.name, scenario)

story = json.loads((root / "scenarios/gc-pause-write.json").read_text())


def changed(path, value):
    """The story with that in its place; without a place, with those fields."""
    other = copy.deepcopy(story)
    if not path:
        return other | value
    place = other
    for key in path[:-1]:
        place = place.setdefault(key, {}) if isinstance(place, dict) else place[key]
    place[path[-1]] = value
    return other


def expect_both(valid, value, what):
    """The schema and the program are of one mind; a run of it may still find that a fault never strikes."""
    global failures
    expect(valid, value, what, scenario)
    pathlib.Path("changed.json").write_text(json.dumps(value))
    said = subprocess.run([root / "build/holdfast", "run", "./changed.json"], capture_output=True, text=True).stderr
    if said.startswith("holdfast: ./changed.json:") == valid:
        failures += 1
        print(f"{what}: {said or 'the program does not refuse it'}")


for what, path, value in [
    ("an unknown field", ["titel"], "x"),
    ("a number for a duration", ["settings", "retry_jitter"], 5),
    ("an unknown unit", ["settings", "retry_jitter"], "5 sec"),
    ("an unknown letter", ["expect", "letter"], "X"),
    ("an unknown fault", ["faults", 0, "fault"], "gcpause"),
    ("a parameter that the fault does not read", ["faults", 0, "clock"], "wall"),
    ("a fault without what it needs", ["faults", 0], {"fault": "delay", "on": "c1", "at": {"time": "5s"}}),
    ("a word that the parameter does not have", ["faults", 0],
     {"fault": "clock-jump", "on": "c1", "at": {"time": "5s"}, "by": "5s", "clock": "moon"}),
    ("a fault that never ends", ["faults", 0], {"fault": "gc-pause", "on": "c1", "at": {"time": "5s"}}),
    ("a drift of none", ["faults", 0],
     {"fault": "clock-drift", "on": "c1", "at": {"time": "5s"}, "for": "5s", "parts_per_million": 0}),
    ("an unknown option of a store", ["topology"], {"redis": {"replica": 1}}),
    ("for and until", ["faults", 0, "until"], {"time": "5s"}),
    ("a time and a step", ["faults", 0, "at", "time"], "5s"),
    ("a sweep without a column", ["sweep"], []),
    ("no clients", ["clients"], []),
    ("a duration of nothing", ["settings", "retry_interval"], "0s"),
    ("a negative duration", ["settings", "retry_jitter"], "-5s"),
    ("a number of too many digits", ["settings", "retry_jitter"], "1234567890123456s"),
    ("a stock of what sells nothing", ["workload"], {"stock": 3}),
    ("permits of another workload", ["workload"], {"kind": "cycle", "permits": 3}),
    ("a family of one lock", [], {"column": 1, "any_lock": False}),
    ("expectations of locks it is not told with", [],
     {"any_lock": False, "expect_for": {"redlock": {"letter": "S"}, "redis-setnx": {"letter": "S"}}}),
    ("a command in small letters", ["faults", 0, "at"], {"client": "c1", "command": "set", "phase": "applied"}),
    ("all clients at one step", ["faults", 0, "on"], "clients"),
    ("a replica that no topology has", ["faults", 0, "on"], "redis-g"),
    ("a failover of a client", ["faults", 0], {"fault": "failover", "on": "c1", "at": {"time": "5s"}}),
    ("a failover of storage", ["faults", 0], {"fault": "failover", "on": "storage", "at": {"time": "5s"}}),
    ("a delay of a server", ["faults", 0], {"fault": "delay", "on": "redis", "at": {"time": "5s"}, "by": "1s", "for": "5s"}),
    ("a delay of no message", ["faults", 0], {"fault": "delay", "on": "c1", "at": {"time": "5s"}, "by": "1s"}),
    ("a reply that is not given yet", ["faults", 0],
     {"fault": "lost-reply", "on": "c1", "at": {"client": "c1", "phase": "sending"}}),
    ("a request that was executed", ["faults", 0],
     {"fault": "lost-request", "on": "c1", "at": {"client": "c1", "phase": "applied"}}),
    ("a thread that takes no step", ["faults", 0], {"fault": "thread-crash", "on": "c1", "at": {"time": "5s"}}),
    ("a fault of a story at any step of a phase", ["faults", 0],
     {"fault": "reset", "on": "c1", "at": {"phase": "sending"}}),
    ("a fault of a sweep at one step", [],
     {"column": 1, "any_lock": True,
      "sweep": [{"fault": "reset", "on": "clients", "at": {"client": "c1", "phase": "sending"}}]}),
    ("a phase at which a sweep does not try it", [],
     {"column": 1, "any_lock": True, "sweep": [{"fault": "reset", "on": "clients", "at": {"phase": "arrived"}}]}),
    ("the connection of no call", ["faults", 0],
     {"fault": "reset", "on": "c1", "at": {"time": "5s"}, "connections": "call"}),
    ("a thread of a server", ["faults", 0], {"fault": "crash", "on": "redis", "at": {"time": "5s"}, "thread": 1}),
    ("a jump of nothing", ["faults", 0], {"fault": "clock-jump", "on": "c1", "at": {"time": "5s"}, "by": "0s"}),
    ("an option of the older form", [], {"version": 2, "topology": {"replicas": 1}}),
    ("a version to come", ["version"], 3),
]:
    expect_both(False, changed(path, value), what)

for what, path, value in [
    ("the older form", [], {"version": 1, "topology": {"replicas": 1}}),
    ("a sum that begins with what is taken away", ["settings", "retry_jitter"], "-1s + 5s"),
    ("a point without digits behind", ["settings", "retry_jitter"], "1.s"),
    ("a source of two lines", ["source"], "001:L335\n002:L1"),
    ("a delay of one message", ["faults", 0],
     {"fault": "delay", "on": "c1", "at": {"client": "c1", "phase": "sending"}, "by": "1s"}),
    ("a reply by the number of its step", ["faults", 0], {"fault": "lost-reply", "on": "c1", "at": {"client": "c1", "step": 4}}),
    ("a thread that takes a step", ["faults", 0],
     {"fault": "thread-crash", "on": "c1", "at": {"client": "c1", "point": "work"}}),
    ("a fault of a sweep at one phase", [],
     {"column": 1, "any_lock": True, "sweep": [{"fault": "reset", "on": "clients", "at": {"phase": "sending"}}]}),
    ("all connections, at any time", ["faults", 0],
     {"fault": "reset", "on": "c1", "at": {"time": "5s"}, "connections": "all"}),
]:
    expect_both(True, changed(path, value), what)

history = validator("harness/history/history.schema.json")
for name in ["example.jsonl", "cut.jsonl", "crash.jsonl", "latch.jsonl"]:
    for line in pathlib.Path(name).read_text().splitlines():
        expect(True, json.loads(line), f"{name}: {line[:60]}", history)
for line in ['{"time":0,"type":"ok"}', '{"type":"end","fingerprint":5}', '{"format":"holdfast-history"}', '[]']:
    expect(False, json.loads(line), line, history)

sys.exit(1 if failures else 0)
END
holdfast=$HOLDFAST_ROOT/build/holdfast
"$holdfast" list schema >scenario.schema.json
cmp scenario.schema.json "$HOLDFAST_ROOT/scenarios/scenario.schema.json"
for topic in topology faults; do
  "$holdfast" list "$topic" --markdown >printed
  sed -n "/^<!-- holdfast list $topic --markdown -->\$/,/^<!-- end -->\$/p" "$HOLDFAST_ROOT/scenarios/README.md" |
    sed '1d;$d' >committed
  diff committed printed
done
"$holdfast" run gc-pause-write-fenced --seed 1 --history example.jsonl --expected
cmp example.jsonl "$HOLDFAST_ROOT/harness/history/example.jsonl"
for family in cut crash; do
  "$holdfast" run "family-$family" --lock redisson-fenced --history "$family.jsonl" --expected
done
"$holdfast" run family-none --lock redisson-latch --history latch.jsonl --expected
python3 check.py "$HOLDFAST_ROOT"
