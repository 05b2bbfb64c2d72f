// dxc: -T cs_6_0 -E main
//! bind = t0 texels 0 3 Bgra8Unorm
//! bind = u0 texels 0 4 Bgra8Unorm
// not: OpTypeImage
#include "converted_r8snorm.hlsl"
