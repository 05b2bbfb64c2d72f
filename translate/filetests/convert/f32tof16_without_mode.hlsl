// dxc: -T cs_6_0 -E main
// Integers do it where the device lacks the mode.
//! options = numerics_radv
//! without = ROUND_RTZ_F16
// not:   RoundingModeRTZ
// not:   PackHalf2x16
// check: OpConvertFToU
#include "f32tof16.hlsl"
