#!/usr/bin/env bash
# ./run.sh [holdfast arguments]: builds holdfast if need be, then runs it here with the arguments;
# without any it runs the matrix of all locks. See ./run.sh --help.
#
# Installs missing Debian packages (as root or with sudo) and builds into build/ beside this script.
# Exit codes are holdfast's: 0 well, 1 property violated, 2 bad input, or trouble with the set-up, 70 a bug in holdfast.
set -euo pipefail

root=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
# shellcheck source=.ci/packages.sh
. "$root/.ci/packages.sh"
# shellcheck source=.ci/build.sh
. "$root/.ci/build.sh"

install_packages "${build_packages[@]}"
for argument in "$@"; do
  case $argument in # what cannot do without real servers
    warp | live | --world=warp | --world=live | confirm | --confirm) install_packages "${server_packages[@]}" ;;
    report | --picture | --picture=*) install_packages "${report_packages[@]}" ;;
  esac
done
if [[ " $* " == *" bench locks "* ]]; then install_packages "${server_packages[@]}"; fi
build release build holdfast || exit 2

if (($# == 0)); then set -- matrix; fi
exec "$root/build/holdfast" "$@"
