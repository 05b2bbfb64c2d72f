// dxc: -T cs_6_0 -E main
// The device rounds toward zero if the module says so.
//! options = numerics_radv
// check: OpCapability RoundingModeRTZ
// check: OpExecutionMode $main RoundingModeRTZ 16
// check: PackHalf2x16
// not:   OpConvertFToU
#include "f32tof16.hlsl"
