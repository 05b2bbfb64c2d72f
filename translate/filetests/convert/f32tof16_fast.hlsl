// dxc: -T cs_6_0 -E main
// By option a half is made by the driver.
//! options = fast_half_packing
// check: PackHalf2x16
// not:   OpConvertFToU
#include "f32tof16.hlsl"
