// dxc: -T cs_6_0 -E main
//! bind = t0 texels 0 3 Rgba8Unorm
//! bind = u0 texels 0 4 Rgba8Unorm
// not: OpTypeImage
#include "converted_r8snorm.hlsl"
