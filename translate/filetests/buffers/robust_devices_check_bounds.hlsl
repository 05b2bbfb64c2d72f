// dxc: -T cs_6_0 -E main
//! options = bounds_checks
// not: OpArrayLength
#include "checked_bounds.hlsl"
