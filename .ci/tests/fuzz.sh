# libFuzzer finds nothing in the parsers within 20,000 runs each, from a fixed seed, under the sanitizers.
. "$HOLDFAST_ROOT/.ci/check.sh"

if ! command -v clang++-19 >/dev/null; then
  # shellcheck source=.ci/packages.sh
  (. "$HOLDFAST_ROOT/.ci/packages.sh" && install_packages clang-19 libclang-rt-19-dev) || {
    echo "There is no clang-19 here, and it cannot be installed."
    exit 77
  }
fi

expect_exit 0 cmake -S "$HOLDFAST_ROOT" -B build -G Ninja -DCMAKE_CXX_COMPILER=clang++-19 -DHOLDFAST_FUZZ=ON \
  -DCMAKE_BUILD_TYPE=None -DCMAKE_CXX_FLAGS=-O1
expect_exit 0 ninja -C build

# fuzz TARGET FILE...: starting from copies of these files.
fuzz() {
  local target=$1
  shift
  mkdir "$target"
  cp "$@" "$target"
  expect_exit 0 "build/${target}_fuzz" -runs=20000 -max_len=4096 -timeout=10 -rss_limit_mb=1024 -seed=1 \
    -print_final_stats=1 "$target"
  expect_text err "stat::number_of_executed_units: 2"
}

fuzz jsonl "$HOLDFAST_ROOT"/harness/history/example.jsonl "$HOLDFAST_ROOT"/harness/fuzz/corpus/*.jsonl
fuzz edn "$HOLDFAST_ROOT"/harness/fuzz/corpus/*.edn
fuzz scenario "$HOLDFAST_ROOT"/scenarios/*.json
