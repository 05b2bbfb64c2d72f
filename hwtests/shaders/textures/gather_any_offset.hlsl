// dxc: -T cs_6_0 -E main
// Gather with offsets that are known only when the shader runs.
Texture2D<uint> T : register(t0);
StructuredBuffer<int2> Offsets : register(t1);
SamplerState S : register(s0);
RWStructuredBuffer<uint4> Out : register(u0);

[numthreads(16, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  Out[id] = T.Gather(S, 0.5, Offsets[id]);
}
