# Sourced by run.sh and test.sh, after packages.sh: builds a CMake preset, quietly unless it fails.
#
# Expects $root, the top of the repository. Everything is said on stderr: stdout belongs to holdfast.
# shellcheck shell=bash
# shellcheck disable=SC2154 # root is the caller's

# build PRESET DIRECTORY [TARGET...]: configures if need be, builds the targets (all without one).
# Returns 1 if the build fails, after showing the end of its log.
build() {
  local preset=$1 directory=$root/$2
  shift 2
  mkdir -p "$directory" 2>/dev/null || true
  [[ -d $directory && -w $directory ]] ||
    fail "$directory cannot be written: holdfast builds beside its sources, so clone it where you may write."
  choose_compiler_cache
  (
    flock 9 # two calls at once must not build the same directory
    local log=$directory/build.log
    configure "$preset" "$directory" >"$log" 2>&1 || show_failure "configuring the $preset build" "$log"
    NINJA_STATUS="[%f/%t] " ninja -C "$directory" "$@" 2>&1 | show_progress "$preset" "$log" || show_failure "the $preset build" "$log"
  ) 9>"$directory/.lock"
}

# A directory that is configured is left to ninja, which runs CMake again when a CMake file changed.
# One that was copied or moved here with its cache still means its old place: it starts afresh.
configure() {
  local preset=$1 directory=$2 configured_for
  configured_for=$(sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' "$directory/CMakeCache.txt" 2>/dev/null) || true
  if [[ -f $directory/build.ninja && $configured_for -ef $root ]]; then return; fi
  cd "$root" && cmake --preset "$preset" --fresh
}

# Keeps ninja's output in the log. Says that a build is going on only when something is compiled, so
# that a call with nothing to do is silent; on a terminal it counts along.
show_progress() {
  local preset=$1 log=$2 line building=""
  while IFS= read -r line; do
    printf '%s\n' "$line" >>"$log"
    if [[ ! $line =~ ^\[([0-9]+)/([0-9]+)\]\ (Building|Linking) ]]; then continue; fi
    if [[ -z $building && ! -t 2 ]]; then say "Building holdfast ($preset)."; fi
    building=yes
    if [[ -t 2 ]]; then
      printf '\r\033[KBuilding holdfast (%s): %s of %s' "$preset" "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}" >&2
    fi
  done
  if [[ -n $building && -t 2 ]]; then printf '\r\033[K' >&2; fi
}

show_failure() {
  tail -n 60 "$2" >&2
  say "holdfast: $1 failed; the end of its log is above, all of it in $2."
  exit 1
}

# ccache keeps its files in the home directory. Where that cannot be written (a container's user, a
# service), they go beside the sources. Two clones share nothing: with CCACHE_BASEDIR they would, but the
# lists of dependencies would name the files of the other clone, and everything would be built again and again.
choose_compiler_cache() {
  local directory
  directory=$(ccache --get-config cache_dir 2>/dev/null) || directory=""
  if [[ -n $directory ]] && mkdir -p "$directory" 2>/dev/null && [[ -w $directory ]]; then return; fi
  export CCACHE_DIR=$root/.cache/ccache
}
