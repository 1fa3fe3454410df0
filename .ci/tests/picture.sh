# The picture in the README is what the program prints today.
. "$HOLDFAST_ROOT/.ci/check.sh"

"$HOLDFAST_ROOT/build/holdfast" run gc-pause-write --expected --color always >story
python3 "$HOLDFAST_ROOT/reports/terminal_picture.py" <story >picture.svg
cmp picture.svg "$HOLDFAST_ROOT/reports/gc-pause-write.svg"
python3 -c 'import sys, xml.dom.minidom as dom; dom.parse(sys.argv[1])' picture.svg
expect_text "$HOLDFAST_ROOT/README.md" "reports/gc-pause-write.svg"

expect_exit 1 python3 "$HOLDFAST_ROOT/reports/terminal_picture.py" </dev/null
expect_text err "nothing to draw"
