#!/usr/bin/env bash
# .ci/other_releases.sh DIRECTORY [NAME...]: puts other releases of the servers there, to run beside the system's.
#
# Each is unpacked, never installed, from a newer Debian suite with all the libraries that it wants, into
# DIRECTORY/NAME: a tree that holdfast runs with `--server STORE=DIRECTORY/NAME`, by the tree's own loader. apt
# works on a state of its own below DIRECTORY, so nothing of the system is touched and nobody has to be root. The
# addresses are those that this system's apt uses, as are proxies; signatures are checked with Debian's keys.
#
# A tree that is there stays as it is: remove it to fetch it anew. Exit codes: 0 all are there, 1 some are not to
# be had (each is said in one sentence), 2 bad input or trouble with the set-up.
set -euo pipefail

keyring=/usr/share/keyrings/debian-archive-keyring.gpg

# NAME  STORE  SUITE  PROGRAM (how its path ends)  PACKAGE...
releases() {
  cat <<'END'
valkey     redis      trixie  bin/valkey-server         valkey-server
redis      redis      trixie  bin/redis-server          redis-server
etcd       etcd       trixie  bin/etcd                  etcd-server
zookeeper  zookeeper  trixie  bin/zkServer.sh           zookeeper default-jre-headless
mariadb    mysql      trixie  sbin/mariadbd             mariadb-server-core
mysql      mysql      sid     sbin/mysqld               mysql-server-core
END
}

usage() {
  cat <<'END'
Usage: .ci/other_releases.sh DIRECTORY [NAME...]

Unpacks other releases of the servers into DIRECTORY/NAME (all that are listed below, or those that are named),
for holdfast's --server STORE=DIRECTORY/NAME. Nothing is installed.

NAME        STORE       SUITE   PACKAGES
END
  releases | while read -r name store suite _ packages; do
    printf '%-11s %-11s %-7s %s\n' "$name" "$store" "$suite" "$packages"
  done
}

say() { printf '%s\n' "$*" >&2; }

fail() {
  say "other_releases.sh: $*"
  exit 2
}

main() {
  if (($# == 0)) || [[ $1 == --help || $1 == -h ]]; then
    usage
    exit $((2 * ($# == 0)))
  fi
  local name directory
  [[ -n $1 ]] || fail "the directory is empty: name one, such as /tmp/releases."
  mkdir -p "$1" || fail "$1 cannot be made."
  directory=$(readlink -f "$1")
  # apt splits its settings at blanks, and has no way to quote them in all places.
  [[ $directory != *[[:space:]\"]* ]] || fail "$directory has a blank or a quote in its name, which apt cannot do with."
  shift
  for name in "$@"; do
    [[ -n $(row_of "$name") ]] || fail "there is no release called $name; .ci/other_releases.sh --help lists them."
  done
  if (($# == 0)); then
    # shellcheck disable=SC2046 # one word each
    set -- $(releases | cut -d ' ' -f 1)
  fi
  local tool
  for tool in apt-get dpkg-deb; do
    command -v "$tool" >/dev/null || fail "there is no $tool here: use Debian."
  done
  [[ -r $keyring ]] || fail "Debian's keys are not in $keyring: install debian-archive-keyring."
  local missing=0
  for name in "$@"; do
    fetch "$directory" "$name" || missing=1
  done
  exit "$missing"
}

row_of() { releases | awk -v name="$1" '$1 == name'; }

# The address of the archive that this system uses; the first that holds its main suite.
archive() {
  # shellcheck disable=SC2016 # apt's own names
  apt-get indextargets --format '$(SITE) $(RELEASE) $(REPO_URI)' "Created-By: Packages" 2>/dev/null |
    awk '$3 ~ /\/debian\/?$/ { print $3; exit }'
}

# fetch DIRECTORY NAME: says what came of it.
fetch() (
  directory=$1
  read -r name store suite program packages < <(row_of "$2")
  tree=$directory/$name
  if [[ -e $tree ]]; then
    say "$name is there already: $(cat "$tree/release" 2>/dev/null || echo "$tree")"
    exit 0
  fi
  site=$(archive)
  [[ -n $site ]] || fail "this system's apt names no Debian archive, so there is no address for $suite."
  work=$directory/.$suite
  partial=$directory/.$name.partial
  set_up_apt "$work" "$site" "$suite"
  export APT_CONFIG=$work/apt.conf
  # Of a fetch that was stopped, too: what lies among the archives would be unpacked into this tree.
  rm -rf "$partial" "$work"/archives/*.deb
  trap 'rm -rf "$partial"' EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM HUP
  if [[ ! -e $work/updated ]]; then
    # apt-get update says "W:" and succeeds when nothing could be fetched.
    if ! apt-get --quiet --error-on=any update >"$work/log" 2>&1; then
      say "$name is not to be had: $suite could not be read: $(grep -m 1 '^[EW]:' "$work/log" || tail -n 1 "$work/log")"
      exit 1
    fi
    : >"$work/updated"
  fi
  # shellcheck disable=SC2086 # one word each
  if ! apt-get --quiet --yes --download-only --no-install-recommends install $packages >"$work/log" 2>&1; then
    say "$name is not to be had: $suite has no $packages: $(grep -m 1 '^E:' "$work/log" || tail -n 1 "$work/log")"
    exit 1
  fi
  # A system of today has its libraries below usr, with links from the old places; packages rely on that.
  mkdir -p "$partial"/usr/{bin,sbin,lib,lib64}
  for part in bin sbin lib lib64; do ln -s "usr/$part" "$partial/$part"; done
  for file in "$work"/archives/*.deb; do
    dpkg-deb --extract "$file" "$partial" || fail "$file cannot be unpacked: is the disk full?"
  done
  rm -f "$work"/archives/*.deb
  # shellcheck disable=SC2086
  set -- $packages
  version=$(apt-cache --no-all-versions show "$1" | sed -n 's/^Version: //p' | head -n 1)
  if ! compgen -G "$partial/usr/$program" >/dev/null && ! compgen -G "$partial/usr/share/*/$program" >/dev/null; then
    say "$name is not to be had: $1 $version of $suite has no $program."
    exit 1
  fi
  echo "$1 $version of $suite: --server $store=$tree" >"$partial/release"
  mv "$partial" "$tree"
  trap - EXIT
  say "$(cat "$tree/release")"
)

# A state of its own for apt: no packages installed, one suite, and none of the system's settings.
set_up_apt() {
  local work=$1 site=$2 suite=$3
  mkdir -p "$work"/{state/lists/partial,archives/partial,etc/preferences.d}
  : >"$work/status"
  echo "deb [signed-by=$keyring] $site $suite main" >"$work/sources.list"
  cat >"$work/apt.conf" <<END
Dir::State "$work/state";
Dir::State::status "$work/status";
Dir::Cache "$work";
Dir::Cache::archives "$work/archives";
Dir::Etc "$work/etc";
Dir::Etc::main "/dev/null";
Dir::Etc::parts "/dev/null";
Dir::Etc::sourcelist "$work/sources.list";
Dir::Etc::sourceparts "/dev/null";
$(apt-config dump Acquire | grep -E '^Acquire::(Check-Valid-Until|[a-z]+::Proxy) ')
Acquire::Languages "none";
Acquire::Retries "2";
APT::Sandbox::User "$(id -un)";
Debug::NoLocking "true";
END
}

main "$@"
