# The picture in the README is what the program draws today; what cannot be drawn is said in one sentence.
. "$HOLDFAST_ROOT/.ci/check.sh"
holdfast=$HOLDFAST_ROOT/build/holdfast

expect_exit 0 "$holdfast" run gc-pause-write --expected --picture picture.svg
cmp picture.svg "$HOLDFAST_ROOT/reports/gc-pause-write.svg"
python3 -c 'import sys, xml.dom.minidom as dom; dom.parse(sys.argv[1])' picture.svg
expect_text "$HOLDFAST_ROOT/README.md" "reports/gc-pause-write.svg"

expect_exit 2 "$holdfast" run gc-pause-write --picture picture.gif
expect_exit 2 "$holdfast" run gc-pause-write --picture nowhere/picture.svg
