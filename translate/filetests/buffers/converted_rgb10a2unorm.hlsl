// dxc: -T cs_6_0 -E main
//! bind = t0 texels 0 3 Rgb10a2Unorm
//! bind = u0 texels 0 4 Rgb10a2Unorm
// not: OpTypeImage
#include "converted_r8snorm.hlsl"
