#!/bin/sh
# Compiles the pairs of this folder: ./compile.sh DXC [NAME...]. The second line of a source may
# tell other options than the default.
set -e
cd "$(dirname "$0")"
dxc=$1
shift
[ $# -gt 0 ] || set -- *.hlsl
for source; do
    name=${source%.hlsl}
    options=$(sed -n '2s,^// dxc ,,p' "$name.hlsl")
    [ -n "$options" ] || options="-T cs_6_0"
    for variant in defect fixed; do
        define=
        [ $variant = fixed ] || define=-DDEFECT
        # shellcheck disable=SC2086
        "$dxc" $options -E main -Zi -Qembed_debug $define -Fo "$name.$variant.dxil" "$name.hlsl"
    done
done
