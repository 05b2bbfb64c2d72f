// dxc: -T cs_6_0 -E main
// A word at a device address, whose words the shader has, and an offset.
//! targets = vulkan1.3
// check: OpMemoryModel PhysicalStorageBuffer64 GLSL450
// check: $offset = OpIAdd $uint $a $b
// check: $sum = OpIAdd $uint $low $offset
// check: $carries = OpULessThan $bool $sum $low
// check: $carry = OpSelect $uint $carries $one $zero
// check: $high = OpIAdd $uint $upper $carry
// check: $address = OpCompositeConstruct $pair $sum $high
// check: $memory = OpBitcast $pointer $address
// check: $place = OpAccessChain $p $memory $zero $zero
// check: OpLoad $uint $place Aligned 4
RWByteAddressBuffer Ags : register(u0, space2147420894);
RWStructuredBuffer<uint> Out : register(u0);
cbuffer Constants : register(b0) { uint2 Address; uint Offset; };

uint ags(uint opcode, uint phase, uint immediate, uint a, uint b) {
  uint result;
  Ags.InterlockedCompareExchange(0x50000000 | phase << 24 | immediate << 8 | opcode, a, b, result);
  return result;
}

[numthreads(8, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  ags(0x14, 0, 0, Address.x, Address.y);
  Out[id] = ags(0x14, 1, 0, Offset + 4 * id, 0);
}
