# The matrix in continuous integration: what got worse fails with its story, what got better is said.
. "$HOLDFAST_ROOT/.ci/check.sh"
holdfast=$HOLDFAST_ROOT/build/holdfast
matrix=("$holdfast" matrix --lock 'redis-px-*' --family pause --family none)

expect_exit 0 "${matrix[@]}" --baseline base.json --update-baseline
expect_exit 0 "${matrix[@]}" --baseline base.json
expect_text out "Nothing changed since the baseline."

# As if redis-px-cad had been safe before, and redis-px-del had been worse.
python3 - <<'END_OF_PYTHON'
import json
matrix = json.load(open("base.json"))
for cell in matrix["cells"]:
    if cell["family"] == "pause" and cell["lock"] == "redis-px-cad":
        cell["letter"] = "S"
    if cell["family"] == "none" and cell["lock"] == "redis-px-del":
        cell["letter"] = "V"
json.dump(matrix, open("other.json", "w"))
END_OF_PYTHON
expect_exit 1 "${matrix[@]}" --baseline other.json --junit junit.xml --markdown summary.md
expect_text out "worse: redis-px-cad, pause: was S, is V"
expect_text out "2 clients, 1 fault"
expect_text out "better: redis-px-del, none: was V, is S"
expect_text summary.md "1 worse, 1 better"
python3 - <<'END_OF_PYTHON'
import xml.etree.ElementTree as tree
suite = tree.parse("junit.xml").getroot()[0]
failed = [case for case in suite if case.find("failure") is not None]
assert len(failed) == 1 and failed[0].get("classname") == "redis-px-cad", failed
assert int(suite.get("tests")) == len(suite), suite.attrib
END_OF_PYTHON

expect_exit 2 "${matrix[@]}" --baseline missing.json
expect_text err "cannot read the baseline"
echo '{}' >broken.json
expect_exit 2 "${matrix[@]}" --baseline broken.json
expect_exit 2 "${matrix[@]}" --junit junit.xml
