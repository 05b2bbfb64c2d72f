// dxc: -T cs_6_6 -E main
//! options = heaps descriptor_heaps
// The hidden counter of a buffer stays in its descriptor array, whose index is not uniform.
// check: OpDecorate $counters DescriptorSet 7
// check: OpDecorate $counters Binding 2
// check: OpDecorate $counter NonUniform
// count: 1 NonUniform
// count: 1 DescriptorSet
// check: OpAtomicIAdd
// check: OpBufferPointerEXT
[numthreads(64, 1, 1)]
void main(uint id : SV_GroupIndex) {
  RWStructuredBuffer<float> list = ResourceDescriptorHeap[NonUniformResourceIndex(id)];
  list[list.IncrementCounter()] = id;
}
