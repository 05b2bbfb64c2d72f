#!/usr/bin/env bash
# Makes a folder that tests and measures dxil-jit on another machine's GPU: tools/gpu-bundle.sh
# [OPTION...] FOLDER
#
#   --no-build      take what the last `cargo build` of the profile made
#   --profile NAME  Cargo's profile; default: release
#   --any-size      accept more than 60 MiB (for tries with builds for tests)
#
# FOLDER must not exist, or be empty. It gets the commands dxil-run and dxil-bench, the execution
# tests as one program with the files that they read, the pipeline files, spirv-val if
# tools/setup-vulkan.sh has brought it, and run.sh (bench/gpu/run.sh), which does everything and
# needs none of: this checkout, Rust, a network. The folder has at most 60 MiB; docs/gpu.md
# describes its use.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
usage="usage: gpu-bundle.sh [--no-build] [--profile NAME] [--any-size] FOLDER"
build=yes profile=release limit=60
while true; do
  case ${1:-} in
    --no-build) build=; shift ;;
    --any-size) limit=1000; shift ;;
    --profile) profile=${2:?$usage}; shift 2 ;;
    -*) echo "$usage" >&2; exit 2 ;;
    *) break ;;
  esac
done
to=${1:?$usage}
[ ! -e "$to" ] || [ -z "$(ls -A "$to")" ] || { echo "gpu-bundle: $to is not empty" >&2; exit 2; }
mkdir -p "$to"; to=$(cd "$to" && pwd)
target=${CARGO_TARGET_DIR:-$root/target}
built=$target/$profile
[ "$profile" != dev ] || built=$target/debug

cd "$root"
if [ -n "$build" ]; then
  # One selection of packages: another one would build the dependencies with other features again.
  cargo build --locked --profile "$profile" -p dxil-jit -p dxil-bench -p dxil-hwtests --bins --test suite
fi
# Cargo names test programs by a hash; the newest is the one of the last build.
suite=$(find "$built/deps" -maxdepth 1 -name 'suite-*' -type f -perm -u+x -printf '%T@ %p\n' | sort -rn | head -n 1)
suite=${suite#* }
[ -n "$suite" ] || { echo "gpu-bundle: no test program in $built/deps" >&2; exit 1; }

mkdir -p "$to"/{bin,data/hwtests/shaders,data/translate/filetests,pipelines,shaders}
cp "$built/dxil-run" "$built/dxil-bench" "$to/bin/"
cp "$suite" "$to/bin/suite"
if command -v strip >/dev/null; then strip "$to"/bin/*; fi

# What the tests read at run time, under its path in the checkout.
(cd hwtests/shaders && find . -name '*.dxbc' | tar -cf - -T -) | tar -C "$to/data/hwtests/shaders" -xf -
cp -rL translate/filetests/structurize "$to/data/translate/filetests/"
cp -L hwtests/pipelines/*.yaml hwtests/pipelines/*.dx{il,bc} "$to/pipelines/"
# Vulkan does not tell whether reads of reserved buffers had memory: only the CPU backend runs this.
rm "$to/pipelines"/reserved_buffers.*

# The shaders that draws.txt and rays.txt name.
cp bench/gpu/draws.txt bench/gpu/rays.txt bench/gpu/run.sh "$to/"
for name in $(grep -ho 'SHADERS/[a-z_]*\.dxil' "$to/draws.txt" "$to/rays.txt" | sort -u); do
  name=${name#SHADERS/}
  found=
  for folder in bench/gpu/shaders runtime/tests/data hwtests/shaders/{raster,tess,mesh,rays}; do
    if [ -z "$found" ] && [ -e "$folder/$name" ]; then found=$folder/$name; fi
  done
  [ -n "$found" ] || { echo "gpu-bundle: no shader $name" >&2; exit 1; }
  cp -L "$found" "$to/shaders/"
done

# The validator, with the libraries that it was built for: the other machine's may be older.
cache=${DXIL_JIT_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/dxil-jit}
tools=$cache/spirv-tools
if [ -x "$tools/usr/bin/spirv-val" ]; then
  mkdir "$to/validator"
  cp -L "$tools"/usr/bin/spirv-{val,dis} "$to/validator/"
  # shellcheck disable=SC2046 # The names hold no blanks.
  cp -L $(find "$tools/usr" -name 'ld-linux-*.so.*' -print -quit) "$to/validator/ld.so"
  for name in libc.so.6 libm.so.6 libgcc_s.so.1 libstdc++.so.6; do
    find "$tools/usr" -name "$name" -exec cp -L {} "$to/validator/$name" \;
  done
  for tool in spirv-val spirv-dis; do
    cat >"$to/bin/$tool" <<'TOOL'
#!/bin/sh
folder=$(dirname "$0")/../validator
exec "$folder/ld.so" --library-path "$folder" "$folder/$(basename "$0")" "$@"
TOOL
    chmod +x "$to/bin/$tool"
  done
else
  echo "gpu-bundle: without spirv-val (tools/setup-vulkan.sh validator brings it)" >&2
fi

# The Vulkan loader, for machines that have a driver and no loader.
for file in "$cache"/driver/usr/lib/*/libvulkan.so.1 /usr/lib/*/libvulkan.so.1 /usr/lib64/libvulkan.so.1; do
  if [ -e "$file" ] && [ ! -e "$to/lib/libvulkan.so.1" ]; then
    mkdir -p "$to/lib"; cp -L "$file" "$to/lib/libvulkan.so.1"
  fi
done

cp LICENSE-MIT LICENSE-APACHE THIRD-PARTY.md THIRD-PARTY-CRATES.txt "$to/"
# The newest version of glibc's symbols that the programs need.
glibc=$(for file in "$to"/bin/{dxil-run,dxil-bench,suite}; do
  { objdump -T "$file" 2>/dev/null || true; } | grep -o 'GLIBC_[0-9.]*' || true
done | sort -Vu | tail -n 1)
cat >"$to/VERSION" <<END
version: $(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
commit: $(git rev-parse --short HEAD 2>/dev/null || echo unknown)$(git diff --quiet HEAD 2>/dev/null || echo ", changed")
built: $(date -u +%Y-%m-%dT%H:%M:%SZ), profile $profile, $(rustc --version)
target: $(rustc -vV | sed -n 's/^host: //p')
needs: ${glibc:-glibc}
END
size=$(du -sm --apparent-size "$to" | cut -f 1)
echo "made $to: $size MiB, needs ${glibc:-glibc}; start $to/run.sh"
[ "$size" -le "$limit" ] || { echo "gpu-bundle: more than $limit MiB" >&2; exit 1; }
