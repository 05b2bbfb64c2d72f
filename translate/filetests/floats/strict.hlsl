// dxc: -T cs_6_0 -E main -Gis
// Without fast math every operation rounds on its own.
// A product with 0 is 0 only if the other factor is finite.
// count: 5 NoContraction
// check: OpExecutionMode $main SignedZeroInfNanPreserve 32
#include "fast.hlsl"
