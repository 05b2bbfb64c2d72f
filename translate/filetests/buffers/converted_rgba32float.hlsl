// dxc: -T cs_6_0 -E main
//! bind = t0 texels 0 3 Rgba32Float
//! bind = u0 texels 0 4 Rgba32Float
// not: OpTypeImage
#include "converted_r8snorm.hlsl"
