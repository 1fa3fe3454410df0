# The report of a few locks: made from what holdfast writes, complete, small, the same every time, refused in one
# sentence when the data is bad, and well in a real browser at the width of a phone and of a desk.
. "$HOLDFAST_ROOT/.ci/check.sh"

holdfast=$HOLDFAST_ROOT/build/holdfast
export PYTHONDONTWRITEBYTECODE=1 # nothing is left in the source tree

(cd "$HOLDFAST_ROOT/reports" && /usr/bin/python3 -m unittest discover --start-directory tests --top-level-directory .)

# Data as the program writes it today.
locks=(file-lock redis-px-cad redisson-fenced redlock)
"$holdfast" matrix "${locks[@]/#/--lock=}" --out data >matrix.log
"$holdfast" explore --lock redis-px-cad --runs 500 --out data >explore.log || (($? == 1))
echo '{"redlock": "Holds while <nothing> happens."}' >data/certificates.json

# The page, the figures and the summary, by the program and by the script, byte for byte.
started=$SECONDS
expect_exit 0 "$holdfast" report data -o report.html --figures figures --markdown summary.md
expect_content err ""
echo "The report took $((SECONDS - started)) s and has $(wc -c <report.html) bytes."
(($(wc -c <report.html) < 10000000))
expect_exit 0 "$HOLDFAST_ROOT/reports/report.py" data -o again.html --markdown again.md
cmp report.html again.html
cmp summary.md again.md
expect_text summary.md "| redis-px-cad |"
for figure in matrix story-redis-px-cad--pause story-redis-px-cad--none envelope-redis-px-cad--pause--ttl-1; do
  [[ -s figures/$figure.svg && -s figures/$figure.png ]]
done
diff <(find figures -name '*.svg' | sed 's/svg$/png/' | sort) <(find figures -name '*.png' | sort)
[[ $(find figures -name 'story-*.png' | wc -l) == $(find data/stories -name '*.jsonl' | wc -l) ]]

# The command beside the worst story is the one of what is told, and it works in the data directory.
# shellcheck disable=SC2016 # the backticks are Markdown's
command=$(sed -n 's/^- \*\*V\*\* `redis-px-cad`, .* — `holdfast \(.*\)`$/\1/p' summary.md)
[[ $command == "run scenarios/redis-px-cad--"*".json" ]]
read -ra words <<<"$command"
(cd data && expect_exit 1 "$holdfast" "${words[@]}" && mv out err ..)
expect_text out "V"
expect_text report.html "Commands are meant to be run in the data directory."
expect_text report.html "<code>holdfast $command</code>"
expect_text report.html 'Found as:</span> <code>holdfast run family-'
expect_text report.html "Throughput and latency are left out"
expect_text report.html "Holds while &lt;nothing&gt; happens."

# One run's picture.
for kind in svg png; do
  expect_exit 0 "$HOLDFAST_ROOT/reports/picture.py" data/stories/redis-px-cad--pause.jsonl \
    data/stories/redis-px-cad--pause.json "picture.$kind"
done
expect_text picture.svg "pauses for"

# Bad data: one sentence, exit code 2, and the report of before stays.
cp -r data bad
echo '{' >bad/locks.json
expect_exit 2 "$holdfast" report bad -o report.html
expect_text err "holdfast: bad/locks.json is not JSON"
[[ $(wc -l <err) == 1 ]]
cmp report.html again.html
expect_exit 2 "$holdfast" report nowhere
expect_text err "nowhere is no directory"
expect_exit 2 "$holdfast" report
expect_text err "report wants to know which directory"
expect_exit 2 "$holdfast" report data -o nowhere/report.html
expect_text err "cannot write the report to nowhere/report.html"
if compgen -G '.*.html.*' >/dev/null || compgen -G '.holdfast-*' >/dev/null; then
  echo "Half a file was left behind." && exit 1
fi

# A story that the real server tells differently comes with the command that asks it again, from here.
mkdir bin
printf '#!/bin/sh\nexec %s "$@" --rename-command DEL ""\n' "$(command -v redis-server)" >bin/redis-server
chmod +x bin/redis-server
PATH=$PWD/bin:$PATH expect_exit 1 "$holdfast" matrix --lock redis-px-del --family slow --out 'other data' --confirm
expect_text out "0 of 1 shrunk stories came out the same on redis-server "
again=$(sed -n 's/^  redis-px-del--slow did not: holdfast //p' out)
[[ $again == "confirm 'other data/scenarios/redis-px-del--slow.log'" ]]
eval "expect_exit 0 \"\$holdfast\" $again" # the unchanged server agrees

# In the browser. Without a network there is no playwright-core, and this last part cannot run.
mkdir browser
(cd browser && npm_config_cache=$PWD/cache npm install --no-audit --no-fund --ignore-scripts playwright-core >npm.log 2>&1) || {
  tail -n 5 browser/npm.log
  echo "playwright-core cannot be had from npm, so the browser test cannot run here."
  exit 77
}
cd browser
node "$HOLDFAST_ROOT/reports/tests/browser.mjs" "file://${PWD%/browser}/report.html" redlock
node "$HOLDFAST_ROOT/reports/tests/pictures.mjs" ../figures/*.svg
