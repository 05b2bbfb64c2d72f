// dxc: -T cs_6_0 -E main
//! bind = t0 texels 0 3 Rg11b10Float
//! bind = u0 texels 0 4 Rg11b10Float
// not: OpTypeImage
#include "converted_r8snorm.hlsl"
