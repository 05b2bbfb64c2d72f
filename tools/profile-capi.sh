#!/usr/bin/env bash
# Records which paths the C library takes when it translates the shaders of the tests.
#
#   tools/profile-capi.sh [--profile PROFILE]
#
# Prints the path of a file for rustc's -Cprofile-use; tools/install-capi.sh --pgo builds with it.
# PROFILE is Cargo's profile, `ship` by default. What is recorded serves builds of the same sources
# with the same profile by the same compiler, for this machine and for other targets.
#
# Needs a C compiler and llvm-profdata of rustc's own LLVM (`rustup component add llvm-tools`).
set -euo pipefail
cd "$(dirname "$0")/.."
profile=ship
[ "${1:-}" != --profile ] || profile=${2:?usage: profile-capi.sh [--profile PROFILE]}
host=$(rustc -vV | sed -n 's/^host: //p')
profdata=$(rustc --print sysroot)/lib/rustlib/$host/bin/llvm-profdata
if [ ! -x "$profdata" ]; then
  echo "profile-capi: llvm-profdata is missing: rustup component add llvm-tools" >&2
  exit 1
fi
target=${CARGO_TARGET_DIR:-target}/pgo
mkdir -p "$target"
target=$(cd "$target" && pwd)
export NEXT_RUSTC_WRAPPER=${RUSTC_WRAPPER:-} RUSTC_WRAPPER=$PWD/tools/rustc-wrapper.sh
# The target is named so that the flags do not reach build scripts. Names of the older mangling
# contain the types of arguments, and those of the standard library are others for each target.
RUSTFLAGS="${RUSTFLAGS:-} -Csymbol-mangling-version=v0 -Cprofile-generate" cargo rustc --profile "$profile" -p dxil-capi --lib \
  --crate-type staticlib --locked --target "$host" --target-dir "$target" >&2
# The runtime of the instrumentation is in the archive; nothing else refers to it.
"${CC:-cc}" -std=c11 -O1 -Itranslate/capi/include translate/capi/examples/translate.c \
  "$target/$host/$profile/libdxil_jit.a" -Wl,-u,__llvm_profile_runtime -lpthread -ldl -lm -o "$target/translate"
rm -f "$target"/recorded-*.profraw
# Shaders that programs could have: none of the malformed and oversized ones, whose counts would
# make all other code look rare.
find hwtests/shaders bench \( -name '*.dxil' -o -name '*.dxbc' \) -print0 | LC_ALL=C sort -z |
  LLVM_PROFILE_FILE=$target/recorded-%m.profraw xargs -0 "$target/translate" >&2
"$profdata" merge --sparse -o "$target/recorded.profdata" "$target"/recorded-*.profraw
echo "$target/recorded.profdata"
