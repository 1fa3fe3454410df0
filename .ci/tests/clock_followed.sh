# A real server whose clock is hard to steer is steered all the same, or refused; it never runs on in real time.
. "$HOLDFAST_ROOT/.ci/check.sh"
holdfast=$HOLDFAST_ROOT/build/holdfast
server=$(PATH=$PATH:/usr/sbin command -v redis-server)

# Both stories are violations, told by leases that run out; in real time none does.
expect_violations() {
  expect_exit 1 "$@" run gc-pause-write --world warp "${server_words[@]}"
  expect_exit 1 "$@" run clock-jump-forward-server --world live "${server_words[@]}"
}

# A tree, which its own loader starts.
mkdir -p tree/usr/bin tree/lib64 tree/usr/lib/x86_64-linux-gnu
cp -L "$server" tree/usr/bin/redis-server
cp -L /lib64/ld-linux-x86-64.so.2 tree/lib64/
ldd "$server" | awk '$3 ~ /^\// { print $3 }' | xargs -I{} cp -L {} tree/usr/lib/x86_64-linux-gnu/
server_words=(--server "redis=$PWD/tree")
expect_violations "$holdfast"

# A script that starts the server hands its environment on; one that drops it is found out.
# shellcheck disable=SC2016 # for the script to expand
printf '#!/bin/sh\nexec %s "$@"\n' "$server" >script
printf '#!/bin/sh\nexec env -u LD_PRELOAD %s "$@"\n' "$server" >forgetful
chmod +x script forgetful
server_words=(--server "redis=$PWD/script")
expect_violations "$holdfast"
for story in "gc-pause-write --world warp" "clock-jump-forward-server --world live"; do
  # shellcheck disable=SC2086 # words
  expect_exit 2 "$holdfast" run $story --server "redis=$PWD/forgetful"
  expect_text err "does not follow the clock that it was given"
done

# Rights of its own, with which a loader takes no library; and a place where nothing may be executed.
server_words=()
if ((EUID == 0)) && cp -L "$server" with_rights && chgrp 65534 with_rights && chmod g+s with_rights; then
  server_words=(--server "redis=$PWD/with_rights")
  expect_violations "$holdfast"
fi
mkdir noexec
if unshare --mount true 2>/dev/null && unshare --mount mount -t tmpfs -o noexec none noexec 2>/dev/null; then
  server_words=()
  # shellcheck disable=SC2016 # for the other shell to expand
  expect_violations unshare --mount sh -c 'mount -t tmpfs -o noexec none noexec && TMPDIR=$PWD/noexec exec "$0" "$@"' "$holdfast"
fi
