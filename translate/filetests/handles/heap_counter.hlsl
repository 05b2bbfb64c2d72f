// dxc: -T cs_6_6 -E main
// The hidden counter of a buffer from the heap has the buffer's index in the heap of counters.
//! options = heaps
// check: OpDecorate $counters DescriptorSet 7
// check: OpDecorate $counters Binding 2
// check: OpAccessChain $p $counters $index
// check: OpAtomicIAdd
[numthreads(64, 1, 1)]
void main(uint id : SV_GroupIndex) {
  RWStructuredBuffer<float> list = ResourceDescriptorHeap[5];
  list[list.IncrementCounter()] = id;
}
