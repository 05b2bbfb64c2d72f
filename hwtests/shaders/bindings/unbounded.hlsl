// dxc: -T cs_6_0 -E main
// Unbounded arrays in spaces of their own.
Texture2D<float> T[] : register(t0, space1);
StructuredBuffer<uint> B[] : register(t4, space2);
SamplerState S[2] : register(s0);
RWStructuredBuffer<float> Out : register(u0);

[numthreads(8, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  float a = T[NonUniformResourceIndex(id & 3)].SampleLevel(S[NonUniformResourceIndex(id >> 2)], float2(1.25, 0.25), 0);
  Out[id] = a + B[NonUniformResourceIndex(id % 3)][id];
}
