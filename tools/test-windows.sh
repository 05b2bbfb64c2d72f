#!/usr/bin/env bash
# Builds the C library for Windows and runs the C tests of its APIs on the result under Wine.
#
#   tools/test-windows.sh [--profile PROFILE] [TARGET...]
#
# By default the targets are x86_64-pc-windows-gnu and i686-pc-windows-gnu, and the profile is
# `ship`, with which the libraries are handed out. `release` builds faster.
#
# Needs Rust's standard library for the target (`rustup target add TARGET`) and MinGW's C compiler
# (Debian: gcc-mingw-w64-x86-64, gcc-mingw-w64-i686; or tools/setup-windows.sh, which brings Wine
# too); a target without them is left out with a line that says so. Programs run with wine64 or wine
# (for i686: with wine32), or with what Cargo's own variable CARGO_TARGET_<TARGET>_RUNNER names.
# Without either they are compiled and linked only. Nothing is installed on the system: the libraries
# go to target/windows.
set -euo pipefail
cd "$(dirname "$0")/.."
profile=ship
if [ "${1:-}" = --profile ]; then
  profile=${2:?usage: test-windows.sh [--profile PROFILE] [TARGET...]}
  shift 2
fi
[ $# -gt 0 ] || set -- x86_64-pc-windows-gnu i686-pc-windows-gnu
rust=$(rustc --print sysroot)/lib/rustlib
prefixes=()
for target in "$@"; do
  compiler=${target%%-*}-w64-mingw32-gcc
  if [ ! -d "$rust/$target" ]; then
    echo "test-windows: $target is left out: rustup target add $target"
  elif ! command -v "$compiler" > /dev/null; then
    echo "test-windows: $target is left out: $compiler is missing"
  else
    prefix=${CARGO_TARGET_DIR:-target}/windows/$target
    tools/install-capi.sh --target "$target" --profile "$profile" "$(mkdir -p "$prefix" && cd "$prefix" && pwd)"
    prefixes+=("$(cd "$prefix" && pwd)")
  fi
done
[ ${#prefixes[@]} -gt 0 ] || exit 0
# The whole workspace is named so that dependencies are built as for the other tests.
DXIL_JIT_WINDOWS=$(IFS=:; echo "${prefixes[*]}") cargo test --workspace --locked --test windows -- --test-threads=1
