# Every scenario, and every line of the histories of a few runs, is what its JSON Schema says; a few that
# are not are refused by it, so that the schema is known to check something. The example in the
# repository is what the program writes.
. "$HOLDFAST_ROOT/.ci/check.sh"

cat >check.py <<'END'
import copy, json, pathlib, sys
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
         if not f.name.endswith(".schema.json") and f.name != "expected.json"]
if not files:
    sys.exit("there is no scenario")
for file in files:
    expect(True, json.loads(file.read_text()), file.name, scenario)

story = json.loads((root / "scenarios/gc-pause-write.json").read_text())
for what, path, value in [
    ("an unknown field", ["titel"], "x"),
    ("a number for a duration", ["settings", "retry_jitter"], 5),
    ("an unknown unit", ["settings", "retry_jitter"], "5 sec"),
    ("an unknown letter", ["expect", "letter"], "X"),
    ("an unknown fault", ["faults", 0, "fault"], "gcpause"),
    ("a parameter that the fault does not read", ["faults", 0, "clock"], "wall"),
    ("for and until", ["faults", 0, "until"], {"time": "5s"}),
    ("a time and a step", ["faults", 0, "at", "time"], "5s"),
    ("a sweep without a column", ["sweep"], []),
    ("no clients", ["clients"], []),
]:
    bad = copy.deepcopy(story)
    place = bad
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    expect(False, bad, what, scenario)

history = validator("harness/history/history.schema.json")
for name in ["example.jsonl", "cut.jsonl", "crash.jsonl", "latch.jsonl"]:
    for line in pathlib.Path(name).read_text().splitlines():
        expect(True, json.loads(line), f"{name}: {line[:60]}", history)
for line in ['{"time":0,"type":"ok"}', '{"type":"end","fingerprint":5}', '{"format":"holdfast-history"}', '[]']:
    expect(False, json.loads(line), line, history)

sys.exit(1 if failures else 0)
END
holdfast=$HOLDFAST_ROOT/build/holdfast
"$holdfast" run gc-pause-write-fenced --seed 1 --history example.jsonl --expected
cmp example.jsonl "$HOLDFAST_ROOT/harness/history/example.jsonl"
for family in cut crash; do
  "$holdfast" run "family-$family" --lock redisson-fenced --history "$family.jsonl" --expected
done
"$holdfast" run family-none --lock redisson-latch --history latch.jsonl --expected
python3 check.py "$HOLDFAST_ROOT"
