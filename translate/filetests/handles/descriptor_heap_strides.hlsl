// dxc: -T cs_6_6 -E main
//! options = device_strides
// Without a stride, the device inserts the size of the descriptor.
// check: OpDecorateId $images ArrayStrideIdEXT $size
// check: OpTypeImage
// check: OpConstantSizeOfEXT
[numthreads(1, 1, 1)]
void main(uint i : SV_GroupID) {
  RWTexture2D<uint> image = ResourceDescriptorHeap[i];
  RWByteAddressBuffer buffer = ResourceDescriptorHeap[i + 1];
  buffer.Store(0, image[uint2(i, 0)]);
}
