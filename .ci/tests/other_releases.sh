# Other releases: what cannot be had is said, nothing of the system is touched. With a fake apt, so without a network.
. "$HOLDFAST_ROOT/.ci/check.sh"
script=$HOLDFAST_ROOT/.ci/other_releases.sh

expect_exit 2 "$script"
expect_exit 0 "$script" --help
expect_text out "valkey"
expect_exit 2 "$script" here no-such-release
expect_text err "there is no release called no-such-release"
expect_exit 2 "$script" ""
expect_exit 2 "$script" "with blank" valkey
expect_text err "has a blank"

# A package with a server in it, which the fake apt "downloads".
mkdir -p package/DEBIAN package/usr/bin bin
printf 'Package: valkey-server\nVersion: 9.9\nArchitecture: all\nMaintainer: x <x@example.org>\nDescription: x\n' >package/DEBIAN/control
printf '#!/bin/sh\necho I am valkey\n' >package/usr/bin/valkey-server
chmod +x package/usr/bin/valkey-server
dpkg-deb --build package valkey.deb >/dev/null
cat >bin/apt-get <<'END'
#!/bin/sh
echo "apt-get $* with $APT_CONFIG" >>"$CALLS"
case "$*" in
  *indextargets*) echo "http://mirror.example/debian x http://mirror.example/debian/" ;;
  *install*redis-server*) echo "E: Unable to locate package redis-server"; exit 100 ;;
  *install*) cp "$DEB" "$(dirname "$APT_CONFIG")/archives/" ;;
esac
END
printf '#!/bin/sh\nprintf "Package: valkey-server\\nVersion: 9.9\\n"\n' >bin/apt-cache
chmod +x bin/*
export CALLS=$PWD/calls DEB=$PWD/valkey.deb PATH=$PWD/bin:$PATH

expect_exit 1 "$script" trees valkey redis
expect_text err "valkey-server 9.9 of trixie: --server redis=$PWD/trees/valkey"
expect_text err "redis is not to be had: trixie has no redis-server: E: Unable to locate package redis-server"
test -x trees/valkey/usr/bin/valkey-server
test ! -e trees/redis
test ! -e trees/.redis.partial
# Everything but the question for the address is asked of a private state, with the system's address.
grep -v indextargets calls | grep -v "$PWD/trees/.trixie/apt.conf" && exit 1
grep -q "signed-by=.* http://mirror.example/debian/ trixie main" trees/.trixie/sources.list
# A tree that is there stays as it is.
: >calls
expect_exit 0 "$script" trees valkey
expect_text err "is there already"
test ! -s calls
