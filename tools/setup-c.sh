#!/usr/bin/env bash
# Installs what the tests of the C libraries try where it is there: valgrind, CMake, Meson with Ninja, pkg-config.
#
# Works on Debian as root; elsewhere it says what is missing, and those tests do nothing.
set -euo pipefail
missing=()
for pair in valgrind:valgrind cmake:cmake meson:meson ninja:ninja-build pkg-config:pkg-config; do
  command -v "${pair%%:*}" >/dev/null || missing+=("${pair##*:}")
done
[ ${#missing[@]} -gt 0 ] || exit 0
if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
  echo "setup-c: not there: ${missing[*]}" >&2
  exit 1
fi
export DEBIAN_FRONTEND=noninteractive
apt-get -q -y -o DPkg::Lock::Timeout=600 update >&2
apt-get -q -y -o DPkg::Lock::Timeout=600 -o Acquire::Retries=3 -o APT::Install-Recommends=0 install "${missing[@]}" >&2
