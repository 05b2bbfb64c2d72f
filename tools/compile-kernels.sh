#!/usr/bin/env bash
# Remakes the checked-in .dxil files of the benchmark kernels from their HLSL, and beside them the
# .spv that DXC's own SPIR-V back end makes of the same source.
#
#   tools/compile-kernels.sh [FILE.hlsl...]     default: bench/kernels, bench/isa and bench/device
#
# The first line of a kernel holds DXC's arguments: `// dxc: -T cs_6_0 -E main`. The same source and
# the same DXC give the same bytes.
set -euo pipefail
cd "$(dirname "$0")/.."
dxc=${DXC:-$(tools/get-dxc.sh)/dxc}
files=("$@")
[ ${#files[@]} -gt 0 ] || files=(bench/{kernels,isa,device}/*.hlsl)

failed=0
for file in "${files[@]}"; do
  first=$(head -n 1 "$file")
  case $first in
    '// dxc: '*) arguments=${first#// dxc: } ;;
    *) echo "$file: the first line must be '// dxc: ARGUMENTS'" >&2; failed=1; continue ;;
  esac
  # shellcheck disable=SC2086  # the line holds several arguments
  "$dxc" $arguments -Fo "${file%.hlsl}.dxil" "$file" || { echo "$file: does not compile" >&2; failed=1; }
  # Those of bench/device are compared with nothing.
  case $file in */device/*) continue ;; esac
  # Bindings as in BindingMap::default_location: registers shifted by class.
  # shellcheck disable=SC2086
  "$dxc" $arguments -spirv -fspv-target-env=vulkan1.3 -fvk-use-dx-layout -fvk-b-shift 0 all \
    -fvk-t-shift 1000 all -fvk-s-shift 2000 all -fvk-u-shift 3000 all -Fo "${file%.hlsl}.spv" "$file" \
    || { echo "$file: no SPIR-V from DXC" >&2; failed=1; }
done
exit $failed
