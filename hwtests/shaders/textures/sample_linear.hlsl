// dxc: -T cs_6_0 -E main
// Linear filtering halfway between texels and between mips, with an offset.
Texture2D<float> T : register(t0);
SamplerState S : register(s0);
RWStructuredBuffer<float> Out : register(u0);

[numthreads(3, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  float2 corner = float2(id + 1, id + 1) * 0.25;
  Out[id * 4 + 0] = T.SampleLevel(S, corner, 0);
  Out[id * 4 + 1] = T.SampleLevel(S, float2(0.375, 0.375), 0, int2(1, -1));
  Out[id * 4 + 2] = T.SampleLevel(S, float2(0.25, 0.25), id * 0.5);
  Out[id * 4 + 3] = T.SampleGrad(S, float2(0.5, 0.5), float2(id * 0.25, 0), float2(0, id * 0.25));
}
