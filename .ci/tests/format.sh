# Every source is formatted as .clang-format says.
. "$HOLDFAST_ROOT/.ci/check.sh"

scratch=$PWD
cd "$HOLDFAST_ROOT"
for folder in harness locks faults; do
  if [[ -d $folder ]]; then find "$folder" \( -name '*.h' -o -name '*.cpp' \) -print0; fi
done | xargs -0 --no-run-if-empty clang-format-19 --dry-run -Werror 2>"$scratch/complaints" || {
  grep -oE '^[^:]+\.(h|cpp):' "$scratch/complaints" | sort --unique | sed 's/^/clang-format-19 -i /; s/:$//' |
    grep . || cat "$scratch/complaints"
  exit 1
}
