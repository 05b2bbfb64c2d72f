// dxc: -T cs_6_2 -E main -enable-16bit-types
//! options = numerics_turnip
// The same where vectors of halves are loaded as such.
// check: ArrayStride 8
// count: 1 ArrayStride 6
// count: 6 OpLoad
// count: 1 OpStore
#include "half_rows.hlsl"
