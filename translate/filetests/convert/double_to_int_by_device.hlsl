// dxc: -T cs_6_0 -E main
// AMD's does (RDNA3 ISA, V_CVT_I32_F64).
//! options = numerics_radv
// not:   NClamp
// not:   OpIsNan
// check: OpConvertFToS
#include "double_to_int.hlsl"
