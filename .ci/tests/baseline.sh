# The matrix in continuous integration: what got worse fails with its story; what got better, is new or is gone is
# said; a baseline is updated in part without losing the rest.
. "$HOLDFAST_ROOT/.ci/check.sh"
holdfast=$HOLDFAST_ROOT/build/holdfast
matrix=("$holdfast" matrix --lock 'redis-px-*' --family pause --family none)

expect_exit 0 "${matrix[@]}" --baseline base.json --update-baseline
expect_text out "base.json is the baseline now: 10 cells of this run, 0 kept, 0 gone."
expect_exit 0 "${matrix[@]}" --baseline base.json
expect_text out "Nothing changed since the baseline."

# edit FROM TO: writes the baseline TO as `letter(lock, family)` wants it: a letter, None for no such cell.
edit() {
  python3 -c '
import json, sys
matrix = json.load(open(sys.argv[1]))
exec(sys.stdin.read())
for cell in matrix["cells"]:
    cell["letter"] = letter(cell["lock"], cell["family"], cell["letter"])
matrix["cells"] = [cell for cell in matrix["cells"] if cell["letter"]] + more
json.dump(matrix, open(sys.argv[2], "w"))' "$1" "$2"
}

# look_at_junit TESTS FAILURES SKIPPED: the numbers at its head, and what is really in it.
look_at_junit() {
  python3 - "$@" <<'END_OF_PYTHON'
import sys, xml.etree.ElementTree as tree
suite = tree.parse("junit.xml").getroot()[0]
counted = [len(suite)] + [len([case for case in suite if case.find(kind) is not None]) for kind in ("failure", "skipped")]
said = [int(suite.get(name)) for name in ("tests", "failures", "skipped")]
assert counted == said == [int(word) for word in sys.argv[1:]], (counted, said)
END_OF_PYTHON
}

# As if redis-px-cad had been safe before, and redis-px-del had been worse.
edit base.json other.json <<'END_OF_PYTHON'
more = []
def letter(lock, family, now):
    return {("redis-px-cad", "pause"): "S", ("redis-px-del", "none"): "V"}.get((lock, family), now)
END_OF_PYTHON
expect_exit 1 "${matrix[@]}" --baseline other.json --junit junit.xml --markdown summary.md
expect_text out "worse: redis-px-cad, pause: was S, is V"
expect_text out "2 clients, 1 fault"
expect_text out "better: redis-px-del, none: was V, is S"
expect_text summary.md "1 worse, 1 better than the baseline, 0 new, 0 gone."
look_at_junit 10 1 0
python3 - <<'END_OF_PYTHON'
import xml.etree.ElementTree as tree
suite = tree.parse("junit.xml").getroot()[0]
failed = [case for case in suite if case.find("failure") is not None]
assert len(failed) == 1 and failed[0].get("classname") == "redis-px-cad", failed
END_OF_PYTHON

# What was not applicable or not there is new, whatever it is; with its story if it is bad. What is no more is gone,
# unless the run was not asked for it.
edit base.json other.json <<'END_OF_PYTHON'
more = [{"lock": lock, "family": family, "letter": "V"} for lock, family in
        [("redis-px-old", "pause"), ("redis-px-cad", "crash"), ("redlock", "pause")]]
def letter(lock, family, now):
    return {("redis-px-cad", "none"): "–", ("redis-px-cad", "pause"): None}.get((lock, family), now)
END_OF_PYTHON
expect_exit 0 "${matrix[@]}" --baseline other.json --junit junit.xml --markdown summary.md
expect_text out "new: redis-px-cad, none: was –, is S"
expect_text out "new: redis-px-cad, pause: not in the baseline, is V"
expect_text out "  found as: holdfast run family-pause --lock redis-px-cad"
expect_text out "pauses for"
expect_text out "gone: redis-px-old, pause: was V, is not there any more"
[[ $(grep -cE '^(worse|new|better|gone): ' out) == 3 ]]
expect_text summary.md "0 worse, 0 better than the baseline, 2 new, 1 gone."
expect_text summary.md "<details><summary>redis-px-cad, pause: new → V</summary>"
look_at_junit 11 0 1

# A letter that is not applicable any more is gone too, and its test was not run.
expect_exit 0 "$holdfast" matrix --lock local-mutex --family failover --baseline local.json --update-baseline
edit local.json other.json <<'END_OF_PYTHON'
more = []
def letter(lock, family, now):
    return "V"
END_OF_PYTHON
expect_exit 0 "$holdfast" matrix --lock local-mutex --family failover --baseline other.json --junit junit.xml
expect_text out "gone: local-mutex, failover: was V, is –"
look_at_junit 1 0 1

# An update of some cells keeps the others; the whole comes out as if it had been written at once.
cp base.json whole.json
edit base.json part.json <<'END_OF_PYTHON'
more = [{"lock": lock, "family": "pause", "letter": "V"} for lock in ("redis-px-cad-old", "redlock")]
def letter(lock, family, now):
    return "D"
END_OF_PYTHON
expect_exit 0 "$holdfast" matrix --lock redis-px-cad --family none --baseline part.json --update-baseline
expect_text out "part.json is the baseline now: 1 cell of this run, 11 kept, 0 gone."
expect_exit 0 "${matrix[@]}" --baseline part.json --update-baseline
expect_text out "part.json is the baseline now: 10 cells of this run, 1 kept, 1 gone."
python3 - <<'END_OF_PYTHON'
import json
whole, part = (json.load(open(name)) for name in ("whole.json", "part.json"))
assert part["cells"] == whole["cells"] + [{"lock": "redlock", "family": "pause", "letter": "V"}], part
assert part["families"] == whole["families"] and part["runs"] == whole["runs"], part
END_OF_PYTHON
expect_exit 0 "${matrix[@]}" --baseline whole.json --update-baseline
cmp base.json whole.json

# Without a baseline the summary tells of the expected table, by which the exit code is decided.
expect_exit 0 "${matrix[@]}" --markdown summary.md
expect_text summary.md ": 5 V, 1 E, 4 S."
expect_text summary.md "Nothing disagrees with the expected table."
cp -r "$HOLDFAST_ROOT/scenarios" scenarios
sed -i '/"redis-px-cad": {/,/"pause"/s/\("pause": *{ *"letter": *\)"V"/\1"S"/' scenarios/expected.json
expect_exit 1 "${matrix[@]}" --scenarios scenarios --markdown summary.md
expect_text summary.md "What disagrees with the expected table: 1"
expect_text summary.md "| redis-px-cad | GC pause | S | **V** | \`holdfast run family-pause --lock redis-px-cad"
rm scenarios/expected.json
expect_exit 0 "${matrix[@]}" --scenarios scenarios --markdown summary.md
expect_text summary.md ": 5 V, 1 E, 4 S."
[[ $(grep -c baseline summary.md) == 0 && $(grep -c expected summary.md) == 0 ]]

# The examples for CI servers call it as it wants to be called.
for example in github-actions gitlab-ci; do
  call=$(sed -n 's/^ *\(run:\|-\) \.\/run\.sh \(matrix .*\)/\2/p' "$HOLDFAST_ROOT/docker/$example.yml")
  [[ $call == *" --baseline locks.json --junit junit.xml --markdown summary.md"* ]]
  mkdir "$example"
  cp base.json "$example/locks.json"
  read -ra words <<<"$call"
  (cd "$example" && expect_exit 0 "$holdfast" "${words[@]}" --lock 'redis-px-*' --family pause --family none)
  [[ -s $example/junit.xml && -s $example/summary.md && -s $example/data/matrix.json ]]
  if /usr/bin/python3 -c 'import yaml' 2>/dev/null; then
    /usr/bin/python3 -c 'import sys, yaml; yaml.safe_load(open(sys.argv[1]))["locks" if "gitlab" in sys.argv[1] else "jobs"]' \
      "$HOLDFAST_ROOT/docker/$example.yml"
  fi
done

# What cannot be: one sentence, before anything is run.
refused() {
  expect_exit 2 "$@"
  [[ $(wc -l <err) == 1 && ! -s out ]]
}
refused "${matrix[@]}" --baseline missing.json
expect_text err "cannot read the baseline missing.json"
echo '{}' >broken.json
refused "${matrix[@]}" --baseline broken.json
refused "${matrix[@]}" --baseline broken.json --update-baseline
expect_text err "broken.json is no matrix"
expect_content broken.json '{}'
refused "${matrix[@]}" --baseline nowhere/base.json --update-baseline
expect_text err "cannot write the baseline to nowhere/base.json"
refused "${matrix[@]}" --junit junit.xml
expect_text err "--junit needs a --baseline"
for kind in --junit --markdown; do
  refused "${matrix[@]}" --baseline base.json --update-baseline $kind never.txt
  expect_text err "--update-baseline compares nothing, so there is nothing for $kind to tell"
done
cmp base.json whole.json
[[ ! -e never.txt ]]
