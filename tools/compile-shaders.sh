#!/usr/bin/env bash
# Remakes the checked-in .dxil files of the test shaders from their HLSL.
#
#   tools/compile-shaders.sh [FILE.hlsl...]     default: all under hwtests/shaders
#
# The first line of a shader holds DXC's arguments: `// dxc: -T cs_6_0 -E main`. A shader that says
# `// dxc-newer:` needs a newer DXC than get-dxc.sh fetches; its .dxil stays as it is unless DXC names one.
# The same source and the same DXC give the same bytes.
set -euo pipefail
cd "$(dirname "$0")/.."
dxc=${DXC:-$(tools/get-dxc.sh)/dxc}
files=("$@")
[ ${#files[@]} -gt 0 ] || mapfile -t files < <(find hwtests/shaders -name '*.hlsl' | LC_ALL=C sort)

failed=0
for file in "${files[@]}"; do
  first=$(head -n 1 "$file")
  case $first in
    '// dxc: '*) arguments=${first#// dxc: } ;;
    '// dxc-newer: '*) [ -n "${DXC:-}" ] || continue; arguments=${first#// dxc-newer: } ;;
    *) echo "$file: the first line must be '// dxc: ARGUMENTS'" >&2; failed=1; continue ;;
  esac
  # shellcheck disable=SC2086  # the line holds several arguments
  "$dxc" $arguments -Fo "${file%.hlsl}.dxil" "$file" || { echo "$file: does not compile" >&2; failed=1; }
done
exit $failed
