// dxc: -T cs_6_6 -E main
//! options = descriptor_heaps
//! without = DESCRIPTOR_HEAP
// error: descriptorHeap
[numthreads(1, 1, 1)]
void main(uint i : SV_GroupID) {
  RWByteAddressBuffer buffer = ResourceDescriptorHeap[i];
  buffer.Store(0, i);
}
