// dxc: -T cs_6_2 -E main
// A wave matrix goes from one device address to another: offset and stride are in bytes.
// check: OpCapability PhysicalStorageBufferAddresses
// check: OpMemoryModel PhysicalStorageBuffer64 Vulkan
// check: $address = OpCompositeConstruct $pair $low $high
// check: $memory = OpBitcast $block $address
// check: $from = OpAccessChain $pointer $memory $zero $sixteen
// check: $matrix = OpCooperativeMatrixLoadKHR $ty $from $row_major $stride
// check: $to_memory = OpBitcast $block $to_address
// check: $to = OpAccessChain $pointer $to_memory $zero $sixteen
// check: OpCooperativeMatrixStoreKHR $to
RWByteAddressBuffer Ags : register(u0, space2147420894);
cbuffer Addresses : register(b0) { uint2 From, To; };

static const uint F32 = 6, C = 2 << 4;

uint ags(uint opcode, uint phase, uint immediate, uint a, uint b) {
  uint result;
  Ags.InterlockedCompareExchange(0x50000000 | phase << 24 | immediate << 8 | opcode, a, b, result);
  return result;
}

[numthreads(32, 1, 1)]
void main(uint id : SV_GroupIndex) {
  uint m[8];
  ags(0x2b, 0, 0, 64, 64);
  ags(0x2b, 1, F32 | C, From.x, From.y);
  [unroll] for (uint j = 0; j < 8; j++)
    m[j] = ags(0x2b, 2, (j & 3) | (j >> 2) << 4, 0, 0);
  ags(0x2c, 0, 0, 64, 64);
  [unroll] for (uint i = 0; i < 4; i++)
    ags(0x2c, 1, (i & 1) | (i >> 1) << 4, m[2 * i], m[2 * i + 1]);
  ags(0x2c, 2, F32 | C, To.x, To.y);
}
