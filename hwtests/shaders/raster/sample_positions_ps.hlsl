// dxc: -T ps_6_1 -E main
// How many samples the render target has, and where they are.
RWStructuredBuffer<float3> Out : register(u0);

float4 main(uint sample : SV_SampleIndex) : SV_Target {
  Out[sample] = float3(GetRenderTargetSamplePosition(sample), GetRenderTargetSampleCount());
  return 0;
}
