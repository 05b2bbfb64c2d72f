// dxc: -T cs_6_6 -E main
// A thread group without whole quads: nothing changes between lanes, so the most detailed level is sampled.
// count: 2 OpImageSampleExplicitLod
// not: OpDPdx
// not: DerivativeGroup
Texture2D<float> Levels : register(t0);
SamplerState Smooth : register(s0);
RWStructuredBuffer<float4> Out : register(u0);

[numthreads(3, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  float2 at = float2(id * 0.3 + 0.05, 0.5);
  Out[id] = float4(Levels.Sample(Smooth, at), ddx(at.x), Levels.CalculateLevelOfDetail(Smooth, at),
                   Levels.SampleBias(Smooth, at, 1));
}
