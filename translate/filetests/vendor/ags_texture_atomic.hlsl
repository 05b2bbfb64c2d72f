// dxc: -T cs_6_6 -E main
// Handles of shader model 6.6, and a 64-bit atomic on a texel; the UAV of AGS is no binding.
// check: OpCapability Int64ImageEXT
// check: OpAtomicUMax
// not: OpImageWrite
// not: OpAtomicCompareExchange
RWByteAddressBuffer Ags : register(u0, space2147420894);
RWTexture2D<uint2> Pixels : register(u0);
RWStructuredBuffer<uint2> Old : register(u1);

uint ags(uint opcode, uint phase, uint immediate, uint a, uint b) {
  uint result;
  Ags.InterlockedCompareExchange(0x50000000 | phase << 24 | immediate << 8 | opcode, a, b, result);
  return result;
}

[numthreads(8, 8, 1)]
void main(uint2 id : SV_DispatchThreadID, uint index : SV_GroupIndex) {
  uint2 old;
  old.x = ags(0x18, 0, 2, id.x, id.y);
  old.y = ags(0x18, 1, 2, 0, index);
  Pixels[old.xx] = old.y;
  old.y = ags(0x18, 2, 2, index, old.y);
  Old[index] = old;
}
