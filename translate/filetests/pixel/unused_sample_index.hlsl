// dxc: -T ps_6_0 -E main
// What is declared makes the shader run per sample, whether or not it is read.
// check: OpCapability SampleRateShading
// check: OpDecorate $sample BuiltIn SampleId
float4 main(float2 uv : UV, uint index : SV_SampleIndex) : SV_Target { return float4(uv, 0, 1); }
