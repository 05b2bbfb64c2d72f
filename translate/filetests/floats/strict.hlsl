// dxc: -T cs_6_0 -E main -Gis
// Without fast math every operation rounds on its own.
// count: 5 NoContraction
#include "fast.hlsl"
