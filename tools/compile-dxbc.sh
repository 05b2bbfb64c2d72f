#!/usr/bin/env bash
# Remakes the checked-in .dxbc files of test shaders, pipeline files and benchmark kernels: the same HLSL
# as shader model 5.1, and the kernels' as 5.0.
#
#   VKD3D_COMPILER=path/to/vkd3d-compiler tools/compile-dxbc.sh [FILE.hlsl...]     default: those that have a .dxbc
#   VKD3D_COMPILER=... tools/compile-dxbc.sh --all                                 whatever compiles; the rest is listed
#
# vkd3d-compiler 2.1 takes half of them. It drops an index of groupshared arrays of arrays: write those as one array.
# The stage and the entry point are those of the first line
# (`// dxc: -T cs_6_0 -E main`).
set -euo pipefail
cd "$(dirname "$0")/.."
compiler=${VKD3D_COMPILER:?the path of vkd3d-compiler}
all=
if [ "${1:-}" = --all ]; then all=1; shift; fi
files=("$@")
if [ ${#files[@]} -eq 0 ]; then
  mapfile -t files < <(find hwtests/shaders hwtests/pipelines bench/kernels -name '*.hlsl' | LC_ALL=C sort)
  if [ -z "$all" ]; then
    existing=()
    for file in "${files[@]}"; do [ ! -e "${file%.hlsl}.dxbc" ] || existing+=("$file"); done
    files=("${existing[@]}")
  fi
fi
# fxc allows refactoring unless it is told otherwise, and DXC too. vkd3d-compiler never does, so that all of its floats
# are precise: this adds the declaration, and signs again.
allow_refactoring() {
  python3 - "$1" <<'END'
import struct, sys
data = open(sys.argv[1], "rb").read()
count, = struct.unpack_from("<I", data, 28)
parts = []
for offset in struct.unpack_from(f"<{count}I", data, 32):
    name, size = data[offset:offset + 4], struct.unpack_from("<I", data, offset + 4)[0]
    body = data[offset + 8:offset + 8 + size]
    if name in (b"SHDR", b"SHEX"):
        version, length = struct.unpack_from("<2I", body)
        # dcl_globalFlags (106) of one token, with bit 11.
        body = struct.pack("<3I", version, length + 1, 1 << 24 | 1 << 11 | 106) + body[8:]
    parts.append(name + struct.pack("<I", len(body)) + body)
offsets, place = [], 32 + 4 * count
for part in parts:
    offsets.append(place)
    place += len(part)
with open(sys.argv[1], "wb") as out:
    out.write(data[:24] + struct.pack(f"<{2 + count}I", place, count, *offsets) + b"".join(parts))
END
  ${DXIL_SIGN:-cargo run --quiet --package dxil-jit --bin dxil-sign --} --no-validation "$1" -o "$1" >/dev/null
}
temporary=$(mktemp -d)
trap 'rm -rf "$temporary"' EXIT
failed=0
for file in "${files[@]}"; do
  first=$(head -n 1 "$file")
  stage=$(sed -n 's/.*-T \([a-z]*\)_6_.*/\1/p' <<<"$first")
  entry=$(sed -n 's/.*-E \([A-Za-z0-9_]*\).*/\1/p' <<<"$first")
  case $stage in cs | ps | vs | gs | hs | ds) ;; *) continue ;; esac
  model=5_1
  source=$file
  case $file in
    bench/*)
      model=5_0
      # vkd3d-compiler unrolls all that it can, DXC next to nothing. Kernels are compared with their
      # DXIL, so their loops stay loops.
      source=$temporary/$(basename "$file")
      sed 's/\(^\|[^]] *\)\b\(for\|while\) *(/\1[loop] \2 (/g' "$file" >"$source"
      ;;
  esac
  if ! "$compiler" -x hlsl -b dxbc-tpf -p "${stage}_$model" -e "${entry:-main}" -o "${file%.hlsl}.dxbc.new" "$source" 2>/dev/null; then
    rm -f "${file%.hlsl}.dxbc.new"
    echo "$file: does not compile as ${stage}_$model" >&2
    [ -n "$all" ] || failed=1
    continue
  fi
  case $file in bench/*) allow_refactoring "${file%.hlsl}.dxbc.new" ;; esac
  mv "${file%.hlsl}.dxbc.new" "${file%.hlsl}.dxbc"
done
exit $failed
