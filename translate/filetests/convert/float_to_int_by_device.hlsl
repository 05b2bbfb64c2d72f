// dxc: -T cs_6_0 -E main
// A device that clamps, and makes 0 of NaN, needs no help.
//! options = numerics_radv
// not:   NClamp
// not:   OpIsNan
// not:   OpSelect
// check: OpConvertFToU
// check: OpConvertFToS
#include "float_to_int.hlsl"
