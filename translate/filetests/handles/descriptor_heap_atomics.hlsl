// dxc: -T cs_6_6 -E main
//! options = descriptor_heaps
// An atomic on an image takes the descriptor and the image's type.
// check: OpDecorate $heap BuiltIn ResourceHeapEXT
// check: OpDecorate $heap Coherent
// check: OpDecorate $memory Aliased
// check: OpUntypedImageTexelPointerEXT
// check: OpAtomicUMax
// check: OpBufferPointerEXT
// check: OpAtomicIAdd
// not: OpImageTexelPointer
[numthreads(1, 1, 1)]
void main(uint i : SV_GroupID) {
  globallycoherent RWTexture2D<uint> image = ResourceDescriptorHeap[NonUniformResourceIndex(i)];
  RWByteAddressBuffer buffer = ResourceDescriptorHeap[NonUniformResourceIndex(i + 1)];
  uint old;
  InterlockedMax(image[uint2(1, 2)], 5, old);
  buffer.InterlockedAdd(8, old);
}
