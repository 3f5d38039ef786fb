# SPDX-License-Identifier: Apache-2.0
# Sourced by the scripts in this folder: installing what is missing, and running steps whose output
# goes to a log that is shown only when the step fails. Needs bash and, to install, apt.

export LC_ALL=C.UTF-8
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
program=tools/$(basename "$0")
jobs=$(nproc)
logs=$root/build/logs

# Debian 12's names; Ubuntu 24.04 has the same ones.
packages_build=(g++ cmake ninja-build pkg-config libcli11-dev libfmt-dev nlohmann-json3-dev
  libsimdjson-dev libtomlplusplus-dev libexpected-dev libisal-dev libzstd-dev libeigen3-dev)
packages_test=(libgtest-dev libgmock-dev librapidcheck-dev python3 python3-jsonschema clang-format-14)
packages_all=(clang-14 clang-tidy-14 libclang-rt-14-dev)

say() { printf '%s: %s\n' "$program" "$*" >&2; }
die() { say "$@"; exit 1; }

# install_packages NAME…: installs those that are missing. Takes no network and no root when none is.
install_packages() {
  if ! command -v dpkg-query >/dev/null; then
    say "this is not Debian: taking it that these are installed, by whatever name: $*"
    return
  fi
  local installed missing=() name
  # shellcheck disable=SC2016  # the ${…} are dpkg-query's
  installed=" $(dpkg-query -W -f '${db:Status-Status} ${Package}\n' "$@" 2>/dev/null |
    sed -n 's/^installed //p' | tr '\n' ' ' || true)"  # it fails when it knows one name not at all
  for name in "$@"; do
    [[ $installed == *" $name "* ]] || missing+=("$name")
  done
  ((${#missing[@]})) || return 0

  local release
  release=$(. /etc/os-release && printf '%s' "${ID:-} ${VERSION_ID:-}")
  [[ $release == 'debian 12' ]] || say "tested on Debian 12 only, this is '$release'"
  local as_root=()
  if ((EUID != 0)); then
    command -v sudo >/dev/null ||
      die "these packages are missing: ${missing[*]}; install them as root, or install sudo"
    as_root=(sudo)
  fi
  as_root+=(env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300)
  say "installing ${missing[*]}"
  step apt-update "${as_root[@]}" update || say 'cannot update the list of packages; trying anyway'
  step apt-install "${as_root[@]}" install -y --no-install-recommends "${missing[@]}" ||
    die 'cannot install them; is there a network?'
}

# step NAME COMMAND…: runs it with its output in build/logs/NAME.log, shown if it fails.
step() {
  local log=$logs/$1.log status=0
  shift
  mkdir -p "$logs"
  "$@" >"$log" 2>&1 </dev/null || status=$?
  if ((status)); then
    say "failed ($status): $*; the end of ${log#"$root"/}:"
    tail -n 40 "$log" | sed 's/^/  /' >&2
  fi
  return "$status"
}
