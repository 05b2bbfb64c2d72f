// dxc: -T cs_6_0 -E main
// check: OpCapability SparseResidency
// check: OpImageSparseSampleExplicitLod
// check: OpImageSparseTexelsResident
Texture2D<float4> a : register(t0);
SamplerState s : register(s0);
RWStructuredBuffer<float4> o : register(u0);
[numthreads(1, 1, 1)]
void main(uint i : SV_GroupID) {
  uint x, y; float4 v = a.SampleLevel(s, 0, 0, int2(0, 0), x) + a.Load(int3(i, 0, 0), int2(0, 0), y);
  o[i] = v * (CheckAccessFullyMapped(x) && CheckAccessFullyMapped(y) ? 1 : 2);
}
