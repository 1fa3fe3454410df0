# A file system that is really full under a server's append-only file: one sentence, the history until then,
# and nothing left. (The C++ tests do the same with a limit on file sizes, which nobody can forbid.)
. "$HOLDFAST_ROOT/.ci/check.sh"

# A small file system of our own takes a namespace of our own.
if ! unshare --user --map-root-user --mount mount -t tmpfs none /mnt 2>/dev/null; then exit 77; fi

# Runs as its root: run_in_small_disk KIBIBYTES ARGUMENTS...
cat >run_in_small_disk <<'END'
mount -t tmpfs -o "size=${1}k" none "$PWD/tmp"
export TMPDIR=$PWD/tmp
shift
result=0
"$HOLDFAST_ROOT/build/holdfast" "$@" || result=$?
ls -A tmp >left
exit "$result"
END
mkdir tmp

# Ten thousand times SET and DEL are more than fits.
for policy in every_second always; do
  cat >many.json <<END
{"title": "Again and again", "about": "The append-only file grows.", "lock": "redis-px-del", "clients": 1,
 "settings": {"ttl": "200s"}, "topology": {"append_only": "$policy"}, "time_limit": "10min",
 "workload": {"rounds": 10000, "work": "0ms", "pause": "0ms"}}
END
  for world in live warp; do
    # The library that moves the clocks in warp has to fit in, too.
    size=$([[ $world == live ]] && echo 60 || echo 220)
    expect_exit 2 unshare --user --map-root-user --mount bash run_in_small_disk "$size" \
      run "$PWD/many.json" --world "$world" --history "$PWD/history"
    expect_text err "disk"
    expect_text err "full"
    if (($(wc -l <err) != 1)); then cat err && exit 1; fi
    expect_text history '"acquire"'
    expect_content left ""
  done
done
