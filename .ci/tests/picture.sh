# The picture in the README is what the program draws today; what cannot be drawn is said in one sentence; and in the
# pictures of all scenarios no text lies under anything.
. "$HOLDFAST_ROOT/.ci/check.sh"
holdfast=$HOLDFAST_ROOT/build/holdfast

expect_exit 0 "$holdfast" run gc-pause-write --expected --picture picture.svg
cmp picture.svg "$HOLDFAST_ROOT/reports/gc-pause-write.svg"
python3 -c 'import sys, xml.dom.minidom as dom; dom.parse(sys.argv[1])' picture.svg
expect_text "$HOLDFAST_ROOT/README.md" "reports/gc-pause-write.svg"

expect_exit 2 "$holdfast" run gc-pause-write --picture picture.gif
expect_exit 2 "$holdfast" run gc-pause-write --picture nowhere/picture.svg

# In the browser. Without a network there is no playwright-core, and this last part cannot run.
mkdir pictures browser
draw() {
  local name
  name=$(basename "$1" .json)
  "$HOLDFAST_ROOT/build/holdfast" run "$1" --picture "pictures/$name.svg" >"pictures/$name.out" 2>&1 ||
    (($? == 1 || $? == 3)) || { cat "pictures/$name.out" && false; }
}
export -f draw
# shellcheck disable=SC2016 # the other shell is to expand it
for scenario in "$HOLDFAST_ROOT"/scenarios/*.json "$HOLDFAST_ROOT"/reports/tests/scenarios/*.json; do
  name=$(basename "$scenario" .json)
  if [[ $name != expected && $name != survivors && $name != scenario.schema ]]; then echo "$scenario"; fi
done | xargs -P 2 -I{} bash -c 'draw "$1"' draw {}
(cd browser && npm_config_cache=$PWD/cache npm install --no-audit --no-fund --ignore-scripts playwright-core >npm.log 2>&1) || {
  tail -n 5 browser/npm.log
  echo "playwright-core cannot be had from npm, so the browser test cannot run here."
  exit 77
}
cd browser
node "$HOLDFAST_ROOT/reports/tests/pictures.mjs" ../pictures/*.svg
