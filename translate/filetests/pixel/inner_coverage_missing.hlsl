// dxc: -T ps_6_0 -E main
//! without = FULLY_COVERED
// error: fullyCoveredFragmentShaderInputVariable
#include "inner_coverage.hlsl"
