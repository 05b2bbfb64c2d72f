// dxc: -T cs_6_0 -E main
// Gather with four offsets of its own for each texel.
Texture2D<uint> T : register(t0);
SamplerState S : register(s0);
RWStructuredBuffer<uint4> Out : register(u0);

[numthreads(4, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  float2 uv = float2(0.4375 + 0.25 * (id & 1), 0.4375 + 0.25 * (id >> 1));
  Out[id] = T.GatherRed(S, uv, int2(0, 0), int2(1, 0), int2(-1, 2), int2(2, -1));
}
