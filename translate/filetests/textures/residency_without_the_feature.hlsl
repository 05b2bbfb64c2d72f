// dxc: -T cs_6_0 -E main
//! without = SPARSE_RESIDENCY
// Without sparse images everything is resident.
// not: OpImageSparseSampleExplicitLod
Texture2D<float4> a : register(t0);
SamplerState s : register(s0);
RWStructuredBuffer<float4> o : register(u0);
[numthreads(1, 1, 1)]
void main(uint i : SV_GroupID) {
  uint x; float4 v = a.SampleLevel(s, 0, 0, int2(0, 0), x);
  o[i] = v * (CheckAccessFullyMapped(x) ? 1 : 2);
}
