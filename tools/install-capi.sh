#!/usr/bin/env bash
# Builds the C library and installs it: headers, shared and static library, pkg-config and CMake files.
#
#   tools/install-capi.sh PREFIX        e.g. /usr/local; DESTDIR is put before it, LIBDIR is PREFIX/lib by default
#
# DXIL_JIT_BUILT names a folder that has libdxil_jit.so and libdxil_jit.a already; then nothing is built.
# The library is there under two names, with the same functions in both: libdxil-spirv-c-shared.so.2, which programs
# built for dxil-spirv look for, and libdxil_jit.so.0. Meson finds either with dependency('dxil-spirv-c-shared') or
# dependency('dxil-jit') through pkg-config, CMake with find_package(dxil_spirv_c_shared) or find_package(dxil_jit).
set -euo pipefail
cd "$(dirname "$0")/.."
prefix=${1:?usage: install-capi.sh PREFIX}
libdir=${LIBDIR:-$prefix/lib}
to=${DESTDIR:-}$libdir
built=${DXIL_JIT_BUILT:-${CARGO_TARGET_DIR:-target}/release}
[ -n "${DXIL_JIT_BUILT:-}" ] || cargo build --release -p dxil-capi
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)

install -d "$to/pkgconfig" "${DESTDIR:-}$prefix/include/dxil-spirv" "${DESTDIR:-}$prefix/include/dxil-jit"
install -m 644 translate/capi/include/dxil_spirv_c{,_types,_options}.h "${DESTDIR:-}$prefix/include/dxil-spirv/"
install -m 644 translate/capi/include/dxil_jit.h "${DESTDIR:-}$prefix/include/dxil-jit/"
install -m 755 "$built/libdxil_jit.so" "$to/libdxil-spirv-c-shared.so.2"
ln -sf libdxil-spirv-c-shared.so.2 "$to/libdxil-spirv-c-shared.so"
install -m 644 "$built/libdxil_jit.a" "$to/libdxil_jit.a"
ln -sf libdxil_jit.a "$to/libdxil-spirv-c-shared.a"

# Licences: our own, that of the interface, and those of the crates inside.
install -d "${DESTDIR:-}$prefix/share/doc/dxil-jit"
install -m 644 LICENSE-MIT LICENSE-APACHE THIRD-PARTY.md THIRD-PARTY-CRATES.txt "${DESTDIR:-}$prefix/share/doc/dxil-jit/"

# The same code under our own name: a shared object has one soname.
exports=$(mktemp)
trap 'rm -f "$exports"' EXIT
echo '{ global: dxil_spv_*; dxil_jit_*; local: *; };' > "$exports"
"${CC:-cc}" -shared -o "$to/libdxil_jit.so.0" -Wl,-soname,libdxil_jit.so.0 -Wl,--version-script="$exports" -Wl,--gc-sections \
  -Wl,--whole-archive "$built/libdxil_jit.a" -Wl,--no-whole-archive -lm -lpthread -ldl
ln -sf libdxil_jit.so.0 "$to/libdxil_jit.so"

for name in dxil-spirv-c-shared dxil-jit; do
  sed -e "s|@PREFIX@|$prefix|; s|@LIBDIR@|$libdir|; s|@VERSION@|$version|" "translate/capi/pkg-config/$name.pc.in" \
    > "$to/pkgconfig/$name.pc"
done
for pair in dxil_spirv_c_shared:dxil-spirv-c-shared:dxil-spirv dxil_jit:dxil_jit:dxil-jit; do
  IFS=: read -r package library headers <<< "$pair"
  install -d "$to/cmake/$package"
  cat > "$to/cmake/$package/${package}Config.cmake" <<END
if(NOT TARGET ${library})
  add_library(${library} SHARED IMPORTED)
  set_target_properties(${library} PROPERTIES
    IMPORTED_LOCATION "$libdir/lib${library}.so"
    INTERFACE_INCLUDE_DIRECTORIES "$prefix/include/$headers")
endif()
END
done
echo "installed in ${DESTDIR:-}$prefix"
