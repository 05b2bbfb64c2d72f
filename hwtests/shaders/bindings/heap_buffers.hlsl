// dxc: -T cs_6_6 -E main
// Resources straight from the descriptor heap.
cbuffer Indices : register(b0) { uint first; uint target; }

[numthreads(16, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  StructuredBuffer<uint> a = ResourceDescriptorHeap[first];
  ByteAddressBuffer b = ResourceDescriptorHeap[NonUniformResourceIndex(first + 1 + (id & 1))];
  RWStructuredBuffer<uint> o = ResourceDescriptorHeap[target];
  o[id] = a[id] * 1000 + b.Load(id * 4);
}
