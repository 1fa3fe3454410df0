# Every source is formatted as .clang-format says.
. "$HOLDFAST_ROOT/.ci/check.sh"

cd "$HOLDFAST_ROOT"
for folder in harness locks faults; do
  if [[ -d $folder ]]; then find "$folder" \( -name '*.h' -o -name '*.cpp' \) -print0; fi
done | xargs -0 --no-run-if-empty clang-format-19 --dry-run -Werror
