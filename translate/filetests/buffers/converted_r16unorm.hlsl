// dxc: -T cs_6_0 -E main
//! bind = t0 texels 0 3 R16Unorm
//! bind = u0 texels 0 4 R16Unorm
// not: OpTypeImage
#include "converted_r8snorm.hlsl"
