#!/usr/bin/env bash
# Puts a DXC (HLSL to DXIL and to SPIR-V; shader models 6.0 to 6.7) into a folder and prints its
# name.
#
#   tools/get-dxc.sh [DIR]      default DIR: $DXIL_JIT_CACHE/dxc (~/.cache/dxil-jit/dxc)
#
# Only needed to remake test shaders: the tests use the checked-in .dxil files. The library is
# Microsoft's release build (LLVM licence) as the source distribution of the PyPI package
# `compushady` carries it; dxc_main.cpp gives it a command line. Needs python3 with pip and a C++
# compiler.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
dir=${1:-${DXIL_JIT_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/dxil-jit}/dxc}
if [ -x "$dir/dxc" ] && [ ! "$here/dxc_main.cpp" -nt "$dir/dxc" ]; then echo "$dir"; exit 0; fi

case $(uname -m) in
  x86_64) library=libdxcompiler_x86_64.so.3.7 ;;
  aarch64) library=libdxcompiler_aarch64.so.3.7 ;;
  *) echo "get-dxc: no build of DXC for $(uname -m)" >&2; exit 1 ;;
esac
mkdir -p "$dir"
if [ ! -f "$dir/libdxcompiler.so" ]; then
  work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
  # The version is pinned: another build of DXC would change every checked-in shader.
  python3 -m pip download --quiet --no-deps --no-binary=compushady --dest "$work" compushady==0.17.5 >&2
  tar -xzf "$work"/compushady-*.tar.gz -C "$work"
  backends=$(echo "$work"/compushady-*/compushady/backends)
  cp "$backends/dxcapi.h" "$backends/WinAdapter.h" "$dir/"
  cp "$backends/$library" "$dir/libdxcompiler.so.part"; mv "$dir/libdxcompiler.so.part" "$dir/libdxcompiler.so"
fi
c++ -O1 -w -std=c++17 -I"$dir" "$here/dxc_main.cpp" -o "$dir/dxc.part" -ldl
mv "$dir/dxc.part" "$dir/dxc"
echo "$dir"
