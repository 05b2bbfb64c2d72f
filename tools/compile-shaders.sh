#!/usr/bin/env bash
# Remakes the checked-in .dxil files of the test shaders from their HLSL.
#
#   tools/compile-shaders.sh [FILE...]          .hlsl, or .ll: DXIL as text; default: all under hwtests/shaders and pipelines
#   tools/compile-shaders.sh --spirv DIR        DXC's own SPIR-V of all of them into DIR, as an oracle for
#                                               the tests (see hwtests/src/direct.rs); nothing else changes
#
# The first line of a shader holds DXC's arguments: `// dxc: -T cs_6_0 -E main`. A shader that says
# `// dxc-spirv:` is for SPIR-V only and becomes a .spv; one that says `// dxc-newer:` needs a newer
# DXC than get-dxc.sh fetches; its .dxil stays as it is unless DXC names one; `// compiled:` names
# another compiler than DXC. The same source and the same DXC give the same bytes.
set -euo pipefail
cd "$(dirname "$0")/.."
dxc=${DXC:-$(tools/get-dxc.sh)/dxc}
spirv=
if [ "${1:-}" = --spirv ]; then spirv=$2; shift 2; fi
files=("$@")
[ ${#files[@]} -gt 0 ] || mapfile -t files < <(find hwtests/shaders hwtests/pipelines \( -name '*.hlsl' -o -name '*.ll' \) | LC_ALL=C sort)

failed=0
for file in "${files[@]}"; do
  if [[ $file = *.ll ]]; then
    [ -n "$spirv" ] || tools/assemble.py "$dxc" "$file" "${file%.ll}.dxil" || { echo "$file: does not assemble" >&2; failed=1; }
    continue
  fi
  first=$(head -n 1 "$file")
  case $first in
    '// dxc: '*) arguments=${first#// dxc: } ;;
    '// dxc-newer: '*) [ -n "${DXC:-}" ] || continue; arguments=${first#// dxc-newer: } ;;
    '// dxc-spirv: '*)
      # shellcheck disable=SC2086
      [ -n "$spirv" ] || "$dxc" ${first#// dxc-spirv: } -spirv -fspv-target-env=vulkan1.3 -Fo "${file%.hlsl}.spv" "$file" \
        || { echo "$file: does not compile" >&2; failed=1; }
      continue ;;
    '// compiled: '*) continue ;;
    *) echo "$file: the first line must be '// dxc: ARGUMENTS'" >&2; failed=1; continue ;;
  esac
  if [ -n "$spirv" ]; then
    target=$spirv/${file#hwtests/shaders/}; mkdir -p "$(dirname "$target")"
    # shellcheck disable=SC2086
    "$dxc" $arguments -spirv -fspv-target-env=vulkan1.3 -fvk-use-dx-layout -fvk-t-shift 1000 all \
      -fvk-s-shift 2000 all -fvk-u-shift 3000 all -fvk-b-shift 0 all -Fo "${target%.hlsl}.spv" "$file" 2>/dev/null \
      || echo "$file: no SPIR-V from DXC" >&2
    continue
  fi
  # shellcheck disable=SC2086  # the line holds several arguments
  "$dxc" $arguments -Fo "${file%.hlsl}.dxil" "$file" || { echo "$file: does not compile" >&2; failed=1; }
done
exit $failed
