// dxc: -T ps_6_0 -E main
// check: OpCapability SampleRateShading
// check: OpDecorate $sample BuiltIn SampleId
float4 main(float2 uv : UV, sample float2 other : OTHER) : SV_Target { return float4(uv, 0, 1); }
