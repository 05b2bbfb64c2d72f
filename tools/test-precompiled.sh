#!/usr/bin/env bash
# Tests that the C library finds what dxil-precompile translated: tools/test-precompiled.sh
#
# Builds dxil-precompile and the library with its feature `precompiled` in a target folder of their
# own (target/precompiled), fills a cache, and runs translate/capi/tests/c/precompiled.c with the shared
# and the static library. The first build takes about five minutes of processor time.
set -euo pipefail
cd "$(dirname "$0")/.."
command -v "${CC:-cc}" >/dev/null || { echo "test-precompiled: no C compiler" >&2; exit 77; }
target=${CARGO_TARGET_DIR:-target}/precompiled
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cargo build --locked --quiet --target-dir "$target" -p dxil-precompile --bin dxil-precompile
cargo rustc --locked --quiet --target-dir "$target" -p dxil-capi --features precompiled --lib \
  --crate-type cdylib,staticlib
data=$PWD/runtime/tests/data
printf '%s\n' "$data/saxpy.dxil" "$data/triangle_vs.dxil $data/triangle_ps.dxil" >"$work/game.txt"
"$target/debug/dxil-precompile" "$work/game.txt" --out "$work/cache"
libraries=$target/debug
[ -e "$libraries/libdxil_jit.a" ] || libraries=$libraries/deps
# Under the name that programs look for.
cp "$libraries/libdxil_jit.so" "$work/libdxil-spirv-c-shared.so.2"
for library in "$work/libdxil-spirv-c-shared.so.2" "$libraries/libdxil_jit.a"; do
  "${CC:-cc}" -std=c11 -Wall -Wextra -Werror -g -Itranslate/capi/include -o "$work/program" \
    translate/capi/tests/c/precompiled.c "$library" "-Wl,-rpath,$work" -lm -ldl -lpthread
  "$work/program" "$work/cache" "$data/saxpy.dxil" hwtests/shaders/flow/collatz.dxil \
    "$data/triangle_vs.dxil" "$data/triangle_ps.dxil" | grep -qx fine
done
echo "test-precompiled: fine"
