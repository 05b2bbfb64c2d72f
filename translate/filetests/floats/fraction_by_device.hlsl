// dxc: -T cs_6_0 -E main
// AMD's instruction stays below 1 (RDNA3 ISA, V_FRACT_F32).
//! options = numerics_radv
// check: Fract
// not:   OpSelect
#include "fraction.hlsl"
