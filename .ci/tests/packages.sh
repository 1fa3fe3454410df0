# Installing: says what, asks for nothing when nothing is missing, fetches package lists only when
# needed, keeps services from starting, leaves no policy behind, and fails in one sentence.
. "$HOLDFAST_ROOT/.ci/check.sh"

# Commands that stand in for the real ones. `present` lists what counts as installed.
mkdir stubs && touch present calls
cat >stubs/dpkg-query <<'END'
#!/bin/bash
sed 's/^/installed /' present
END
cat >stubs/apt-get <<'END'
#!/bin/bash
policy=$([[ ! -e policy ]] || tail -n 2 policy)
echo "apt-get $*, policy: ${policy//$'\n'/ }" >>calls
if [[ -e slow ]]; then sleep 60; fi
if [[ $1 == install && -e stale ]]; then echo "E: cannot find it"; exit 100; fi
if [[ $1 == update ]]; then rm -f stale; fi
exit 0
END
printf '#!/bin/bash\necho "update-rc.d $*" >>calls\n' >stubs/update-rc.d
printf '#!/bin/bash\necho "sudo $*" >>calls\n"$@"\n' >stubs/sudo
chmod 755 stubs/*

# install PACKAGE...: with the stand-ins, and a policy file that is ours to break.
cat >install <<END
set -euo pipefail
. "$HOLDFAST_ROOT/.ci/packages.sh"
policy_file=$PWD/policy
install_packages "\$@"
END
install=(env PATH="$PWD/stubs:$PATH" bash install)

expect_no_policy() {
  if [[ ! -e policy ]]; then return; fi
  echo "A policy was left behind $1."
  exit 1
}

# Nothing missing: not a word, not a call.
echo g++ >present
expect_exit 0 "${install[@]}" g++
expect_content err ""
expect_content calls ""

# A name is matched whole: g++ does not stand for g++-12. Lists are not fetched without need.
expect_exit 0 "${install[@]}" g++-12 cmake
expect_text err "Installing 2 Debian packages: g++-12 cmake."
grep '^apt-get' calls >apt-get.calls # without those through sudo, when this is not root
expect_content apt-get.calls "apt-get install --yes --no-install-recommends --no-remove --option \
DPkg::Lock::Timeout=300 g++-12 cmake, policy: # Written by holdfast while it installs packages; safe to delete. exit 101"
expect_no_policy "after an installation"

# Stale lists: fetched once, then it works. A package with a service has it switched off.
: >calls && touch stale
expect_exit 0 "${install[@]}" redis-server
expect_text calls "apt-get update"
expect_text calls "update-rc.d redis-server disable"

# The administrator's own policy is kept as it is; a leftover of ours is not.
echo "exit 0 # mine" >policy
expect_exit 0 "${install[@]}" cmake
expect_content policy "exit 0 # mine"
printf '# Written by holdfast while it installs packages; safe to delete.\n' >policy
expect_exit 0 "${install[@]}" cmake
expect_no_policy "by a killed run and kept"

# It fails: one sentence with the cause above it, exit code 2.
sed -i 's/rm -f stale/true/' stubs/apt-get && touch stale
expect_exit 2 "${install[@]}" cmake
expect_text err "E: cannot find it"
expect_text err "holdfast: the packages could not be installed"
expect_no_policy "after a failure"

# Stopped half way.
rm stale && touch slow
expect_exit 124 timeout --signal=TERM 1 "${install[@]}" cmake
expect_no_policy "after a stop"
rm slow

# Without root and sudo, and without apt-get, it says so. Root steps down to find out.
unprivileged=()
if ((EUID == 0)); then unprivileged=(setpriv --reuid=65534 --regid=65534 --clear-groups); fi
mkdir bare readable && cp "$HOLDFAST_ROOT/.ci/packages.sh" readable
for tool in bash env mktemp grep sed rm cat tail tee chmod; do ln -s "$(command -v "$tool")" bare/; done
cp stubs/dpkg-query bare/
sed -i "s|^\. .*|. $PWD/readable/packages.sh|" install
chmod -R a+rwX .. # the scratch directory, so that nobody can read and write here
export TMPDIR=$PWD
bare=("${unprivileged[@]}" env PATH="$PWD/bare" bash install)
expect_exit 2 "${bare[@]}" cmake
expect_content err "holdfast: cmake must be installed, but there is no apt-get here: use Debian 12, bare or as a container."
cp stubs/apt-get bare/
expect_exit 2 "${bare[@]}" cmake
expect_content err "holdfast: installing cmake takes root, and there is no sudo here: run this once as root."
printf '#!/bin/bash\nexit 1\n' >bare/sudo && chmod 755 bare/sudo
expect_exit 2 "${bare[@]}" cmake
expect_content err "holdfast: installing cmake takes root, and sudo refused: run this once as root."

# With sudo, everything that needs root goes through it.
cp stubs/sudo bare/ && : >calls
expect_exit 0 "${bare[@]}" cmake
expect_text calls "sudo env DEBIAN_FRONTEND=noninteractive apt-get install"
expect_text calls "sudo tee"
expect_no_policy "with sudo"
