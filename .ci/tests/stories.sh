# Every cell of the matrix that is not safe has a shrunk story: it replays, the real server does the same, and
# the report draws it.
. "$HOLDFAST_ROOT/.ci/check.sh"
holdfast=$HOLDFAST_ROOT/build/holdfast
export PYTHONDONTWRITEBYTECODE=1

# Of some locks of each kind, or with HOLDFAST_THOROUGH of all.
locks=(local-mutex file-lock-excl redis-setnx redis-stamp-del redis-px-del redis-px-cad-wait redis-value-reentrant redlock
  redisson-rlock redisson-fair redisson-rw redisson-semaphore redisson-latch redisson-fenced)
if [[ -n ${HOLDFAST_THOROUGH:-} ]]; then locks=('*'); fi
expect_exit 0 "$holdfast" matrix "${locks[@]/#/--lock=}" --out data --confirm
expect_text out "shrunk stories came out the same on redis-server "
expect_exit 0 "$holdfast" report data -o report.html
(($(wc -c <report.html) < 10000000))

cat >stories.py <<'END'
import concurrent.futures, html.parser, json, shlex, subprocess, sys

holdfast = sys.argv[1]
locks = {lock["id"]: lock for lock in json.load(open("data/locks.json"))}
cells = [cell for cell in json.load(open("data/matrix.json"))["cells"] if cell["letter"] not in ("S", "–")]
assert len(cells) > 90, len(cells)


def problem_of(cell):
    name = f"{cell['lock']}--{cell['family']}"
    story = json.load(open(f"data/stories/{name}.json"))
    if "shrunk" not in story:
        return f"{name} was not shrunk"
    if locks[cell["lock"]].get("redis_servers") and story.get("confirmed") is not True:
        return f"{name} is not confirmed: {story.get('confirmation')}"
    for command in (story["shrunk"]["command"], f"holdfast replay scenarios/{name}.log"):
        again = subprocess.run([holdfast, *shlex.split(command)[1:], "--json"], cwd="data", capture_output=True, text=True)
        told = json.loads(again.stdout) if again.returncode == 1 else {"letter": again.stderr}
        if told["letter"] != cell["letter"]:
            return f"{command} gave {told['letter']}, not {cell['letter']}"
    if told["fingerprint"] != story["fingerprint"]:
        return f"{command} gave {told['fingerprint']}, not {story['fingerprint']}"
    return None


class Pictures(html.parser.HTMLParser):
    """Which stories of the page have a picture."""
    inside, drawn = None, {}

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if tag == "article":
            self.inside = attributes["aria-label"]
        if tag == "svg" and self.inside:
            self.drawn[self.inside] = True


with concurrent.futures.ThreadPoolExecutor(2) as pool:
    problems = [problem for problem in pool.map(problem_of, cells) if problem]
pictures = Pictures()
pictures.feed(open("report.html").read())
problems += [f"no picture of {cell['lock']} under {cell['family']}" for cell in cells
             if f"{cell['lock']} under {cell['family']}" not in pictures.drawn]
print(f"{len(cells)} stories, {len(problems)} problems", *problems[:20], sep="\n")
sys.exit(bool(problems))
END
/usr/bin/python3 stories.py "$holdfast"
