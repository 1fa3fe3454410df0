# Sourced by run.sh and test.sh: which Debian packages holdfast needs, and how they get installed.
#
# This is the only place that names a package to install (other_releases.sh unpacks some). Nothing is asked of root while nothing is missing.
# shellcheck shell=bash
# shellcheck disable=SC2034 # the lists are read by the scripts that source this one

# What it takes to build holdfast and its tests.
build_packages=(
  g++ cmake ninja-build ccache pkg-config
  libfmt-dev nlohmann-json3-dev libcli11-dev libboost1.81-dev liblua5.1-0-dev
  libhiredis-dev zlib1g-dev
  libgtest-dev libgmock-dev librapidcheck-dev
)

# The real servers, for the worlds that need them.
server_packages=(redis-server)

# For holdfast report and run --picture.
report_packages=(python3 python3-jinja2 python3-matplotlib)

# Servers that holdfast has no store for yet: its tests know when they are at rest.
other_server_packages=(mariadb-server etcd-server zookeeper)

# What running the tests takes on top of that.
test_packages=(
  "${other_server_packages[@]}"
  clang-format-19 shellcheck python3 python3-jsonschema
  clang-19 libclang-rt-19-dev
  "${report_packages[@]}" chromium nodejs
)
# Debian's npm excludes a Node.js from elsewhere, which brings an npm of its own.
if ! command -v npm >/dev/null; then test_packages+=(npm); fi

# Only for test.sh --tidy: large, and not needed to trust a build.
tidy_packages=(clang-tidy-19)

# Packages that bring a service, and what it is called. holdfast starts servers itself, each with its own
# directory and port, so an installed service must neither run now nor after the next boot.
declare -A service_of=([redis-server]=redis-server [mariadb-server]=mariadb [etcd-server]=etcd)

policy_file=/usr/sbin/policy-rc.d
policy_mark="# Written by holdfast while it installs packages; safe to delete."

say() { printf '%s\n' "$*" >&2; }

# Trouble with the set-up is exit code 2: 1 means that holdfast found a violation.
fail() {
  say "holdfast: $*"
  exit 2
}

# install_packages PACKAGE...: installs those that are missing, and says so.
install_packages() {
  local missing
  mapfile -t missing < <(missing_packages "$@")
  if ((${#missing[@]} == 0)); then return; fi

  command -v apt-get >/dev/null ||
    fail "${missing[*]} must be installed, but there is no apt-get here: use Debian 12, bare or as a container."
  require_root "${missing[@]}"
  say "Installing ${#missing[@]} Debian packages: ${missing[*]}."
  local log
  log=$(mktemp)
  end_orderly # here too, so that nobody takes us for ended while the inner shell still cleans up
  (
    end_orderly
    trap 'permit_service_starts; rm -f "$log"' EXIT
    forbid_service_starts
    apt_install "${missing[@]}" >"$log" 2>&1 || {
      tail -n 15 "$log" >&2
      fail "the packages could not be installed; the end of apt-get's output is above. Debian 12 has all of them."
    }
    disable_services "${missing[@]}"
  ) || exit
  trap - INT TERM HUP
}

# When stopped, wait for the command that is running, then end by way of the EXIT trap.
end_orderly() {
  trap 'exit 130' INT
  trap 'exit 143' TERM HUP
}

# Prints those of the named packages that are not installed, one per line.
missing_packages() {
  local installed package
  installed=$(dpkg-query --show --showformat='${db:Status-Status} ${Package}\n' "$@" 2>/dev/null) || true
  for package in "$@"; do
    grep -qxF "installed $package" <<<"$installed" || printf '%s\n' "$package"
  done
}

require_root() {
  if ((EUID == 0)); then return; fi
  command -v sudo >/dev/null || fail "installing $* takes root, and there is no sudo here: run this once as root."
  sudo true || fail "installing $* takes root, and sudo refused: run this once as root."
}

as_root() {
  if ((EUID == 0)); then "$@"; else sudo "$@"; fi
}

# The package lists of a bare system are empty and those of an old one are stale: both show as a
# failure, and only then are they fetched. --no-remove, because Debian's Boost versions exclude each
# other and taking away somebody's other version is not ours to decide.
apt_install() {
  local install=(
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends
    --no-remove --option DPkg::Lock::Timeout=300 "$@"
  )
  "${install[@]}" && return
  as_root apt-get update --option DPkg::Lock::Timeout=300 && "${install[@]}"
}

# Debian asks policy-rc.d before it starts a service. One that is already there is the
# administrator's and stays; one with our mark was left by a killed run and is taken over.
forbid_service_starts() {
  if [[ -e $policy_file || -L $policy_file ]] && ! policy_is_ours; then return; fi
  printf '#!/bin/sh\n%s\nexit 101\n' "$policy_mark" | as_root tee "$policy_file" >/dev/null
  as_root chmod 755 "$policy_file"
}

permit_service_starts() {
  if policy_is_ours; then as_root rm -f "$policy_file"; fi
}

policy_is_ours() { grep -qsxF "$policy_mark" "$policy_file"; }

# disable_services PACKAGE...: of those just installed, the ones that brought a service.
disable_services() {
  local package
  for package in "${!service_of[@]}"; do
    if [[ " $* " == *" $package "* ]]; then as_root update-rc.d "${service_of[$package]}" disable >/dev/null 2>&1 || true; fi
  done
}
