// dxc: -T cs_6_0 -E main
//! bind = t0 texels 0 3 Rg16Float
//! bind = u0 texels 0 4 Rg16Float
// not: OpTypeImage
// check: PackHalf2x16
#include "converted_r8snorm.hlsl"
