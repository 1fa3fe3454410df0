# The checker as a library: a program of somebody else's finds it installed, or beside its own sources,
# and neither takes more than fmt and zlib.
. "$HOLDFAST_ROOT/.ci/check.sh"

example=$HOLDFAST_ROOT/harness/check/example

# expect_verdict DIRECTORY: the example that was built there says what is wrong with its history.
expect_verdict() {
  expect_exit 0 "$1/check_my_history"
  expect_content out $'the lock: violated\nheld by two at once: yes'
}

expect_exit 0 cmake --install "$HOLDFAST_ROOT/build" --prefix "$PWD/prefix"
expect_exit 0 cmake -S "$example" -B installed -G Ninja -DCMAKE_PREFIX_PATH="$PWD/prefix"
expect_exit 0 ninja -C installed
expect_verdict installed

# In few large pieces and not optimized: it is built to be linked, not to be fast. The second time it comes
# out of the compiler's cache, wherever this directory is then.
export CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=yes
expect_exit 0 cmake -S "$example" -B beside -G Ninja -DHOLDFAST_SOURCES="$HOLDFAST_ROOT" -DCMAKE_BUILD_TYPE=None \
  -DCMAKE_CXX_COMPILER_LAUNCHER=ccache -DCMAKE_UNITY_BUILD=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=16
expect_exit 0 ninja -C beside
expect_verdict beside

# Nothing of ours reaches the other project: no tests, no flags.
for stranger in holdfast_core room_ tests_ -Werror lua5.1 gtest; do
  if grep -qF -- "$stranger" beside/build.ninja; then
    echo "The build of the example knows of $stranger."
    exit 1
  fi
done
