// dxc: -T ps_6_0 -E main
// check: OpCapability SampleRateShading
// check: OpDecorate $sample BuiltIn SampleId
#include "sample_rate_missing.hlsl"
