// dxc: -T cs_6_0 -E main
//! options = descriptor_heaps
//! bind = t0 heap 3 1 100 5
//! bind = u0 heap 3 1 7 -
//! bind = s0 heap 3 2 0 6
// Registers are in descriptor tables: a push constant says where a table begins in the heap.
// not: DescriptorSet
// not: RuntimeDescriptorArray
// check: OpDecorate $samplers BuiltIn SamplerHeapEXT
// check: OpUntypedAccessChainKHR
Texture2D<float4> t[8] : register(t0);
SamplerState s : register(s0);
RWStructuredBuffer<float4> o : register(u0);
[numthreads(1, 1, 1)]
void main(uint i : SV_GroupID) {
  o[i] = t[i].SampleLevel(s, 0, 0);
}
