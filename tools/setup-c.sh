#!/usr/bin/env bash
# Provides the tools that the tests of the C libraries use if they are there: CMake, Meson with
# Ninja, pkg-config and valgrind.
#
# Nothing is installed: what the machine lacks is unpacked from Debian's packages into
# $DXIL_JIT_CACHE/c-tools (default ~/.cache/dxil-jit/c-tools). Prints the name of a file to source,
# which adds the tools to PATH. Elsewhere it says what is missing, and those tests do nothing.
set -euo pipefail
# shellcheck source=tools/packages.sh
. "$(dirname "$0")/packages.sh"

missing=()
for pair in valgrind:valgrind cmake:cmake meson:meson ninja:ninja-build pkg-config:pkgconf; do
  command -v "${pair%%:*}" >/dev/null || missing+=("${pair%%:*}=${pair##*:}")
done
lock_cache
root=$cache/c-tools
env_file=$cache/c-tools.sh
if [ ${#missing[@]} -gt 0 ] && [ ! -f "$root/done" ]; then
  may_fetch || { say "setup-c: not there: ${missing[*]%%=*}"; exit 1; }
  # valgrind's memcheck reads the symbols of the C library's loader.
  unpack "$root" "$(release)" "$(release)" valgrind libc6-dbg cmake meson ninja-build pkgconf
  # The C library and Python belong to the system: it is the same release.
  rm -f "$root"/{usr/,}lib/"$triplet"/{libc,libm,libdl,librt,libpthread,libutil,ld-linux*}.so*
  rm -f "$root"/usr/bin/python3*
  mkdir "$root/wrappers"
  wrap() { # NAME COMMAND...
    local name=$1; shift
    printf '#!/bin/sh\n%s\nexec %s "$@"\n' \
      "export LD_LIBRARY_PATH='$root/usr/lib/$triplet'\${LD_LIBRARY_PATH:+:\$LD_LIBRARY_PATH}" "$*" >"$root/wrappers/$name"
    chmod +x "$root/wrappers/$name"
  }
  wrap cmake "'$root/usr/bin/cmake'"
  wrap ninja "'$root/usr/bin/ninja'"
  wrap pkg-config "'$root/usr/bin/pkgconf'"
  # Programs under test must not see the unpacked libraries.
  printf '#!/bin/sh\nexport VALGRIND_LIB=%q\nexec %q --extra-debuginfo-path=%q "$@"\n' \
    "$root/usr/libexec/valgrind" "$root/usr/bin/valgrind" "$root/usr/lib/debug" >"$root/wrappers/valgrind"
  printf '#!/bin/sh\nPYTHONPATH=%q exec python3 %q "$@"\n' \
    "$root/usr/lib/python3/dist-packages" "$root/usr/bin/meson" >"$root/wrappers/meson"
  chmod +x "$root"/wrappers/*
  touch "$root/done"
fi
{
  echo "# Made by tools/setup-c.sh. The system's own tools come first."
  [ ! -d "$root/wrappers" ] || printf 'export PATH=$PATH:%q\n' "$root/wrappers"
} >"$env_file"
echo "$env_file"
