// dxc: -T cs_6_6 -E main
//! options = heaps
// check: OpDecorate $x DescriptorSet 7
struct K { float4 v; };
RWStructuredBuffer<float4> o : register(u0);
[numthreads(1, 1, 1)]
void main(uint i : SV_GroupID) {
  Texture2D<float4> t = ResourceDescriptorHeap[i];
  SamplerState s = SamplerDescriptorHeap[i + 1];
  RWByteAddressBuffer r = ResourceDescriptorHeap[NonUniformResourceIndex(i + 2)];
  ConstantBuffer<K> c = ResourceDescriptorHeap[3];
  o[i] = t.SampleLevel(s, 0, 0) + c.v;
  r.Store(4, 1);
}
