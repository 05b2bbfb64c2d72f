// dxc: -T ps_6_0 -E main
// An input that is read makes the shader run per sample: no other is needed.
// check: OpCapability SampleRateShading
// check: OpDecorate $uv Sample
// not: SampleId
float4 main(sample float2 uv : UV) : SV_Target { return float4(uv, 0, 1); }
