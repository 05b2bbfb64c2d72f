#!/usr/bin/env bash
# Provides what builds and tests the C library for Windows (tools/test-windows.sh): MinGW's C
# compiler for 64 and 32 bits, and Wine for programs of both.
#
#   tools/setup-windows.sh [PART...]      parts: mingw wine64 wine32; by default all of them
#
# Nothing is installed: what the machine lacks is unpacked from Debian's packages into
# $DXIL_JIT_CACHE/windows (default ~/.cache/dxil-jit/windows; 0.6 GB for MinGW, 0.7 GB for each
# Wine). Prints the name of a file to source, which adds the tools to PATH and names Wine as Cargo's
# runner of both targets. Elsewhere it says what is missing.
#
# Rust's standard library for the targets comes from rustup:
#   rustup target add x86_64-pc-windows-gnu i686-pc-windows-gnu
set -euo pipefail
# shellcheck source=tools/packages.sh
. "$(dirname "$0")/packages.sh"

parts=("$@")
[ ${#parts[@]} -gt 0 ] || parts=(mingw wine64 wine32)
lock_cache
root=$cache/windows
mkdir -p "$root/wrappers"
env_file=$cache/windows.sh
exports=()

# A command that runs a program of an unpacked folder with the folder's libraries.
wrap() { # NAME PROGRAM LIBRARIES [EXPORTS]
  printf '#!/bin/sh\nexport LD_LIBRARY_PATH=%q${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}\n%s\nexec %q "$@"\n' \
    "$3" "${4:-}" "$2" >"$root/wrappers/$1"
  chmod +x "$root/wrappers/$1"
}

# The C library belongs to the system: it is the same release.
drop_c_library() { # FOLDER
  rm -f "$1"/{usr/,}lib/"$triplet"/{libc,libm,libdl,librt,libpthread,libutil,libresolv,libnsl,libanl,ld-linux*}.so*
}

part_mingw() {
  if command -v x86_64-w64-mingw32-gcc && command -v i686-w64-mingw32-gcc; then return 0; fi >/dev/null
  if [ ! -f "$root/mingw/done" ]; then
    may_fetch || fail "no MinGW: install its C compiler for x86_64 and i686"
    unpack "$root/mingw" "$(release)" "$(release)" gcc-mingw-w64-x86-64-win32 gcc-mingw-w64-i686-win32
    drop_c_library "$root/mingw"
    touch "$root/mingw/done"
  fi
  local tool name
  for tool in "$root"/mingw/usr/bin/*-w64-mingw32-*; do
    name=${tool##*/}
    # Debian's compilers have their kind of threads in their names.
    wrap "${name%-win32}" "$tool" "$root/mingw/usr/lib/$triplet:$root/mingw/lib/$triplet"
  done
}

# Wine reads some of its own libraries from a folder that its packages fill when they are installed.
finish_wine() { # FOLDER ARCHITECTURE BITS
  # Wine starts the server beside itself; Debian's script there looks for it in the system's folder.
  ln -sf "wineserver$3" "$1/usr/lib/wine/wineserver"
  cp "$1/usr/$2-w64-mingw32/lib/zlib1.dll" "$1"/usr/lib/*-linux-gnu/wine/"${2/i686/i386}-windows/"
}

part_wine64() {
  # Debian keeps it out of the path.
  if command -v wine64 || command -v wine || [ -x /usr/lib/wine/wine64 ]; then return 0; fi >/dev/null
  local wine=$root/wine64
  if [ ! -f "$wine/done" ]; then
    may_fetch || fail "no Wine for 64-bit programs"
    unpack "$wine" "$(release)" "$(release)" wine64
    drop_c_library "$wine"
    finish_wine "$wine" x86_64 64
    touch "$wine/done"
  fi
  wrap wine64 "$wine/usr/lib/wine/wine64" "$wine/usr/lib/$triplet:$wine/lib/$triplet" \
    "export WINESERVER=$wine/usr/lib/wine/wineserver64 WINELOADER=$wine/usr/lib/wine/wine64"
  exports+=("export CARGO_TARGET_X86_64_PC_WINDOWS_GNU_RUNNER=$root/wrappers/wine64")
}

part_wine32() {
  # A Wine that runs 32-bit programs needs a C library of 32 bits, which few machines have.
  ! command -v wine32 >/dev/null || return 0
  local wine=$root/wine32 libraries file
  libraries=$wine/usr/lib/i386-linux-gnu:$wine/lib/i386-linux-gnu
  if [ ! -f "$wine/done" ]; then
    may_fetch || fail "no Wine for 32-bit programs"
    unpack "$root/patchelf" "$(release)" "$(release)" patchelf
    architecture=i386 unpack "$wine" "$(release)" "$(release)" wine32
    finish_wine "$wine" i686 32
    # Programs name the file that loads them by its full path.
    for file in wine wineserver32; do
      "$root/patchelf/usr/bin/patchelf" --set-interpreter "$wine/lib/i386-linux-gnu/ld-linux.so.2" "$wine/usr/lib/wine/$file"
    done
    touch "$wine/done"
  fi
  wrap wine32 "$wine/usr/lib/wine/wine" "$libraries" \
    "export WINESERVER=$wine/usr/lib/wine/wineserver32 WINELOADER=$wine/usr/lib/wine/wine WINEARCH=win32"
  exports+=("export CARGO_TARGET_I686_PC_WINDOWS_GNU_RUNNER=$root/wrappers/wine32")
}

for part in "${parts[@]}"; do
  case $part in
    mingw | wine64 | wine32) "part_$part" ;;
    *) fail "no part $part: mingw wine64 wine32" ;;
  esac
done
{
  echo "# Made by tools/setup-windows.sh. The system's own tools come first."
  printf 'export PATH=$PATH:%q\n' "$root/wrappers"
  [ ${#exports[@]} = 0 ] || printf '%s\n' "${exports[@]}"
} >"$env_file"
echo "$env_file"
