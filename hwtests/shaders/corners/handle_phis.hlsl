// dxc: -T cs_6_0 -E main
// Handles that come along different edges: of buffers, textures and samplers, read and written.
StructuredBuffer<uint> A[4] : register(t0);
Texture2D<float> T[3] : register(t8);
SamplerState S[2] : register(s0);
RWStructuredBuffer<uint> Out[2] : register(u0);
RWStructuredBuffer<float> Texels : register(u4);

[numthreads(16, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  StructuredBuffer<uint> a = A[NonUniformResourceIndex(id & 1)];
  Texture2D<float> t = T[0];
  SamplerState s = S[0];
  if (id & 2) {
    Texels[16 + id] = id;
    a = A[NonUniformResourceIndex(2 + (id & 1))];
    t = T[NonUniformResourceIndex(1 + (id >> 3))];
    if (id & 4) s = S[1];
  }
  RWStructuredBuffer<uint> o = Out[0];
  [loop] for (uint i = 0; i < (id & 3); ++i) {
    o = Out[NonUniformResourceIndex(i & 1)];
  }
  o[id] = a[id];
  Texels[id] = t.SampleLevel(s, float2(1.25, 0.25), 0);
}
