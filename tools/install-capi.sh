#!/usr/bin/env bash
# Builds the C library and installs it: headers, shared and static library, pkg-config and CMake
# files.
#
#   tools/install-capi.sh [--target TARGET] [--profile PROFILE] [--pgo] PREFIX
#
#   PREFIX    e.g. /usr/local; DESTDIR is put before it, LIBDIR is PREFIX/lib by default
#   TARGET    x86_64-pc-windows-gnu or i686-pc-windows-gnu: the DLL, its import library and the static library for
#             MinGW, and a Meson cross file. Without it: the shared object and the static library for this machine.
#   PROFILE   Cargo's profile; by default `ship`, which optimizes all crates together. `release` builds faster.
#   --pgo     Profile-guided optimization: builds twice, the second time for the paths that
#             tools/profile-capi.sh records on this machine, for TARGET too.
#
# DXIL_JIT_BUILT names a folder that has them already; then nothing is built.
#
# The library is there under two names, with the same functions in both:
# libdxil-spirv-c-shared.so.2, which programs built for dxil-spirv look for, and libdxil_jit.so.0.
# Meson finds either with dependency('dxil-spirv-c-shared') or dependency('dxil-jit') through
# pkg-config, CMake with find_package(dxil_spirv_c_shared) or find_package(dxil_jit), which also
# have the static library (targets dxil-spirv-c-static and dxil_jit_static). The files name paths
# relative to themselves, so that PREFIX can be moved.
set -euo pipefail
cd "$(dirname "$0")/.."
usage="usage: install-capi.sh [--target TARGET] [--profile PROFILE] [--pgo] PREFIX"
target=
profile=ship
pgo=
while true; do
  case ${1:-} in
    --target) target=${2:?$usage}; shift ;;
    --profile) profile=${2:?$usage}; shift ;;
    --pgo) pgo=yes ;;
    *) break ;;
  esac
  shift
done
prefix=${1:?$usage}
case $target in
  '' | x86_64-pc-windows-gnu | i686-pc-windows-gnu) ;;
  *) echo "install-capi: no rules for $target" >&2; exit 2 ;;
esac
libdir=${LIBDIR:-$prefix/lib}
root=${DESTDIR:-}$prefix
to=${DESTDIR:-}$libdir
# The program of the target that removes what a linker does not need.
strip=strip
[ -z "$target" ] || strip=${target%%-*}-w64-mingw32-strip
command -v "$strip" >/dev/null || strip=true
folder=${CARGO_TARGET_DIR:-target}
build_for=$target
if [ -n "$pgo" ] && [ -z "${DXIL_JIT_BUILT:-}" ]; then
  recorded=$(tools/profile-capi.sh --profile "$profile")
  folder=$folder/pgo
  # Named, so that the flags do not reach build scripts.
  : "${build_for:=$(rustc -vV | sed -n 's/^host: //p')}"
  export RUSTFLAGS="${RUSTFLAGS:-} -Csymbol-mangling-version=v0 -Cprofile-use=$recorded"
  export NEXT_RUSTC_WRAPPER=${RUSTC_WRAPPER:-} RUSTC_WRAPPER=$PWD/tools/rustc-wrapper.sh
fi
built=${DXIL_JIT_BUILT:-$folder/${build_for:+$build_for/}$profile}
if [ -z "${DXIL_JIT_BUILT:-}" ]; then
  # A crate that is built for Rust programs too is not optimized together with its dependencies.
  cargo rustc --profile "$profile" -p dxil-capi --lib --crate-type cdylib,staticlib --locked --target-dir "$folder" \
    ${build_for:+--target "$build_for"}
fi
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)

install -d "$to/pkgconfig" "$root/include/dxil-spirv" "$root/include/dxil-jit"
install -m 644 translate/capi/include/dxil_spirv_c{,_types,_options}.h "$root/include/dxil-spirv/"
install -m 644 translate/capi/include/dxil_jit.h "$root/include/dxil-jit/"
install -m 644 "$built/libdxil_jit.a" "$to/libdxil_jit.a"
# MinGW's strip takes no archive with members that have no sections, which Rust's standard library
# has there.
[ -n "$target" ] || "$strip" --strip-debug "$to/libdxil_jit.a"
ln -sf libdxil_jit.a "$to/libdxil-spirv-c-shared.a"

# Licences: our own, that of the interface, and those of the crates inside.
install -d "$root/share/doc/dxil-jit"
install -m 644 LICENSE-MIT LICENSE-APACHE THIRD-PARTY.md THIRD-PARTY-CRATES.txt "$root/share/doc/dxil-jit/"

if [ -n "$target" ]; then
  # What Rust's standard library imports, and random bytes; every one is part of Windows 10 and of
  # Wine.
  system="-lkernel32 -lntdll -luserenv -lws2_32 -ladvapi32"
  install -d "$root/bin" "$root/share/meson/cross"
  install -m 755 "$built/dxil_jit.dll" "$root/bin/dxil_jit.dll"
  "$strip" --strip-unneeded "$root/bin/dxil_jit.dll"
  # One DLL, and two import libraries that name it.
  install -m 644 "$built/libdxil_jit.dll.a" "$to/libdxil_jit.dll.a"
  ln -sf libdxil_jit.dll.a "$to/libdxil-spirv-c-shared.dll.a"
  # Meson before 1.3 knows only the first name of pkg-config's key. To be read after the project's
  # own cross file: `meson setup --cross-file build-win64.txt --cross-file THIS`.
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
  "$strip" --strip-unneeded "$to/libdxil-spirv-c-shared.so.2"
  ln -sf libdxil-spirv-c-shared.so.2 "$to/libdxil-spirv-c-shared.so"
  # The same code under our own name: a shared object has one soname.
  exports=$(mktemp)
  trap 'rm -f "$exports"' EXIT
  echo '{ global: dxil_spv_*; dxil_jit_*; local: *; };' > "$exports"
  "${CC:-cc}" -shared -o "$to/libdxil_jit.so.0" -Wl,-soname,libdxil_jit.so.0 -Wl,--version-script="$exports" \
    -Wl,--gc-sections -Wl,-s -Wl,--whole-archive "$built/libdxil_jit.a" -Wl,--no-whole-archive -lm -lpthread -ldl
  ln -sf libdxil_jit.so.0 "$to/libdxil_jit.so"
fi

from() { realpath -m --relative-to="$1" "$2"; } # FOLDER PATH: the path as seen from the folder
for name in dxil-spirv-c-shared dxil-jit; do
  sed -e "s|@PREFIX@|\${pcfiledir}/$(from "$libdir/pkgconfig" "$prefix")|" \
    -e "s|@LIBDIR@|\${pcfiledir}/$(from "$libdir/pkgconfig" "$libdir")|" \
    -e "s|@VERSION@|$version|; s|@SYSTEM@|$system|" \
    "translate/capi/pkg-config/$name.pc.in" > "$to/pkgconfig/$name.pc"
done

# Version of the API of dxil-spirv, which pkg-config's file states too.
abi=$(sed -n 's/^Version: //p' translate/capi/pkg-config/dxil-spirv-c-shared.pc.in)
bits=8
[ "$target" != i686-pc-windows-gnu ] || bits=4
[ -n "$target" ] || bits=$(getconf LONG_BIT | awk '{ print $1 / 8 }')
system_list=${system//-l/}
for row in dxil_spirv_c_shared:dxil-spirv-c-shared:dxil-spirv-c-static:dxil-spirv:$abi \
           dxil_jit:dxil_jit:dxil_jit_static:dxil-jit:$version; do
  IFS=: read -r package library static headers release <<< "$row"
  folder=$libdir/cmake/$package
  if [ -n "$target" ]; then
    location="IMPORTED_LOCATION \"\${_prefix}/bin/dxil_jit.dll\"
    IMPORTED_IMPLIB \"\${_libraries}/lib${library}.dll.a\""
  else
    location="IMPORTED_LOCATION \"\${_libraries}/lib${library}.so\""
  fi
  install -d "$to/cmake/$package"
  cat > "$to/cmake/$package/${package}Config.cmake" <<END
get_filename_component(_prefix "\${CMAKE_CURRENT_LIST_DIR}/$(from "$folder" "$prefix")" ABSOLUTE)
get_filename_component(_libraries "\${CMAKE_CURRENT_LIST_DIR}/$(from "$folder" "$libdir")" ABSOLUTE)
if(NOT TARGET ${library})
  add_library(${library} SHARED IMPORTED)
  set_target_properties(${library} PROPERTIES
    $location
    INTERFACE_INCLUDE_DIRECTORIES "\${_prefix}/include/$headers")
endif()
if(NOT TARGET ${static})
  add_library(${static} STATIC IMPORTED)
  set_target_properties(${static} PROPERTIES
    IMPORTED_LOCATION "\${_libraries}/libdxil_jit.a"
    INTERFACE_LINK_LIBRARIES "${system_list// /;}"
    INTERFACE_INCLUDE_DIRECTORIES "\${_prefix}/include/$headers")
endif()
unset(_prefix)
unset(_libraries)
END
  # Compatible: the same major version, of 0.x the same minor version too, and nothing older than
  # what is asked for.
  major=${release%%.*}
  same="^$major[.]"
  [ "$major" != 0 ] || same="^$(cut -d . -f 1,2 <<< "$release" | sed 's/[.]/[.]/g')([.]|\$)"
  cat > "$to/cmake/$package/${package}ConfigVersion.cmake" <<END
set(PACKAGE_VERSION "$release")
if(PACKAGE_FIND_VERSION VERSION_GREATER PACKAGE_VERSION)
  set(PACKAGE_VERSION_COMPATIBLE FALSE)
elseif(NOT PACKAGE_FIND_VERSION OR PACKAGE_FIND_VERSION MATCHES "$same" OR PACKAGE_FIND_VERSION STREQUAL "$major")
  set(PACKAGE_VERSION_COMPATIBLE TRUE)
  if(PACKAGE_FIND_VERSION STREQUAL PACKAGE_VERSION)
    set(PACKAGE_VERSION_EXACT TRUE)
  endif()
else()
  set(PACKAGE_VERSION_COMPATIBLE FALSE)
endif()
if(CMAKE_SIZEOF_VOID_P AND NOT CMAKE_SIZEOF_VOID_P EQUAL $bits)
  set(PACKAGE_VERSION_UNSUITABLE TRUE)
endif()
END
done
echo "installed in $root"
