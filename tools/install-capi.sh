#!/usr/bin/env bash
# Builds the C library and installs it: headers, shared and static library, pkg-config and CMake files.
#
#   tools/install-capi.sh [--target TARGET] [--profile PROFILE] PREFIX
#
#   PREFIX    e.g. /usr/local; DESTDIR is put before it, LIBDIR is PREFIX/lib by default
#   TARGET    x86_64-pc-windows-gnu or i686-pc-windows-gnu: the DLL, its import library and the static library for
#             MinGW, and a Meson cross file. Without it: the shared object and the static library for this machine.
#   PROFILE   Cargo's profile; by default `ship`, which optimizes all crates together. `release` builds faster.
#
# DXIL_JIT_BUILT names a folder that has them already; then nothing is
# built.
# The library is there under two names, with the same functions in both: libdxil-spirv-c-shared.so.2, which programs
# built for dxil-spirv look for, and libdxil_jit.so.0. Meson finds either with dependency('dxil-spirv-c-shared') or
# dependency('dxil-jit') through pkg-config, CMake with find_package(dxil_spirv_c_shared) or find_package(dxil_jit).
set -euo pipefail
cd "$(dirname "$0")/.."
usage="usage: install-capi.sh [--target TARGET] [--profile PROFILE] PREFIX"
target=
profile=ship
while true; do
  case ${1:-} in
    --target) target=${2:?$usage} ;;
    --profile) profile=${2:?$usage} ;;
    *) break ;;
  esac
  shift 2
done
prefix=${1:?$usage}
case $target in
  '' | x86_64-pc-windows-gnu | i686-pc-windows-gnu) ;;
  *) echo "install-capi: no rules for $target" >&2; exit 2 ;;
esac
libdir=${LIBDIR:-$prefix/lib}
root=${DESTDIR:-}$prefix
to=${DESTDIR:-}$libdir
built=${DXIL_JIT_BUILT:-${CARGO_TARGET_DIR:-target}/${target:+$target/}$profile}
if [ -z "${DXIL_JIT_BUILT:-}" ]; then
  # A crate that is built for Rust programs too is not optimized together with its dependencies.
  cargo rustc --profile "$profile" -p dxil-capi --lib --crate-type cdylib,staticlib --locked ${target:+--target "$target"}
fi
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)

install -d "$to/pkgconfig" "$root/include/dxil-spirv" "$root/include/dxil-jit"
install -m 644 translate/capi/include/dxil_spirv_c{,_types,_options}.h "$root/include/dxil-spirv/"
install -m 644 translate/capi/include/dxil_jit.h "$root/include/dxil-jit/"
install -m 644 "$built/libdxil_jit.a" "$to/libdxil_jit.a"
ln -sf libdxil_jit.a "$to/libdxil-spirv-c-shared.a"

# Licences: our own, that of the interface, and those of the crates inside.
install -d "$root/share/doc/dxil-jit"
install -m 644 LICENSE-MIT LICENSE-APACHE THIRD-PARTY.md THIRD-PARTY-CRATES.txt "$root/share/doc/dxil-jit/"

if [ -n "$target" ]; then
  # What Rust's standard library imports, and random bytes; every one is part of Windows 10 and of Wine.
  system="-lkernel32 -lntdll -luserenv -lws2_32 -ladvapi32"
  install -d "$root/bin" "$root/share/meson/cross"
  install -m 755 "$built/dxil_jit.dll" "$root/bin/dxil_jit.dll"
  # One DLL, and two import libraries that name it.
  install -m 644 "$built/libdxil_jit.dll.a" "$to/libdxil_jit.dll.a"
  ln -sf libdxil_jit.dll.a "$to/libdxil-spirv-c-shared.dll.a"
  # Meson before 1.3 knows the first name of pkg-config's key alone. Read after the project's own cross file: `meson setup --cross-file build-win64.txt --cross-file THIS`.
  cat > "$root/share/meson/cross/dxil-jit-${target%%-*}-windows.ini" <<END
[binaries]
pkgconfig = 'pkg-config'
pkg-config = 'pkg-config'

[properties]
pkg_config_libdir = '$libdir/pkgconfig'
END
else
  system="-lm -lpthread -ldl"
  install -m 755 "$built/libdxil_jit.so" "$to/libdxil-spirv-c-shared.so.2"
  ln -sf libdxil-spirv-c-shared.so.2 "$to/libdxil-spirv-c-shared.so"
  # The same code under our own name: a shared object has one soname.
  exports=$(mktemp)
  trap 'rm -f "$exports"' EXIT
  echo '{ global: dxil_spv_*; dxil_jit_*; local: *; };' > "$exports"
  "${CC:-cc}" -shared -o "$to/libdxil_jit.so.0" -Wl,-soname,libdxil_jit.so.0 -Wl,--version-script="$exports" \
    -Wl,--gc-sections -Wl,-s -Wl,--whole-archive "$built/libdxil_jit.a" -Wl,--no-whole-archive -lm -lpthread -ldl
  ln -sf libdxil_jit.so.0 "$to/libdxil_jit.so"
fi

for name in dxil-spirv-c-shared dxil-jit; do
  sed -e "s|@PREFIX@|$prefix|; s|@LIBDIR@|$libdir|; s|@VERSION@|$version|; s|@SYSTEM@|$system|" \
    "translate/capi/pkg-config/$name.pc.in" > "$to/pkgconfig/$name.pc"
done
for pair in dxil_spirv_c_shared:dxil-spirv-c-shared:dxil-spirv dxil_jit:dxil_jit:dxil-jit; do
  IFS=: read -r package library headers <<< "$pair"
  if [ -n "$target" ]; then
    location="IMPORTED_LOCATION \"$prefix/bin/dxil_jit.dll\"
    IMPORTED_IMPLIB \"$libdir/lib${library}.dll.a\""
  else
    location="IMPORTED_LOCATION \"$libdir/lib${library}.so\""
  fi
  install -d "$to/cmake/$package"
  cat > "$to/cmake/$package/${package}Config.cmake" <<END
if(NOT TARGET ${library})
  add_library(${library} SHARED IMPORTED)
  set_target_properties(${library} PROPERTIES
    $location
    INTERFACE_INCLUDE_DIRECTORIES "$prefix/include/$headers")
endif()
END
done
echo "installed in $root"
