// dxc: -T cs_6_0 -E main
// Gather of each component; the order of the four texels is D3D's.
Texture2D<float4> T : register(t0);
SamplerState S : register(s0);
RWStructuredBuffer<float4> Out : register(u0);

[numthreads(9, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  float2 corner = float2(id % 3 + 1, id / 3 + 1) * 0.25;
  Out[id * 5 + 0] = T.GatherRed(S, corner);
  Out[id * 5 + 1] = T.GatherGreen(S, corner);
  Out[id * 5 + 2] = T.GatherBlue(S, corner);
  Out[id * 5 + 3] = T.GatherAlpha(S, corner);
  Out[id * 5 + 4] = T.Gather(S, corner, int2(-1, 1));
}
