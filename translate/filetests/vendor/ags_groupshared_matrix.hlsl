// dxc: -T cs_6_2 -E main
// A wave matrix goes through groupshared memory: index and stride are in words of the array, which an atomic names.
// check: $word = OpTypeInt 32 0
// check: $shared = OpTypePointer Workgroup $word
// check: $pointer = OpAccessChain $shared
// check: OpCooperativeMatrixStoreKHR $pointer
// check: OpControlBarrier
// check: OpCooperativeMatrixLoadKHR
// not: OpAtomicIAdd
RWByteAddressBuffer Ags : register(u0, space2147420894);
ByteAddressBuffer In : register(t0);
RWByteAddressBuffer Out : register(u0);
groupshared uint Shared[512];

static const uint F32 = 6, C = 2 << 4, ColumnMajor = 1 << 7;

uint ags(uint opcode, uint phase, uint immediate, uint a, uint b) {
  uint result;
  Ags.InterlockedCompareExchange(0x50000000 | phase << 24 | immediate << 8 | opcode, a, b, result);
  return result;
}

[numthreads(32, 1, 1)]
void main(uint id : SV_GroupIndex) {
  uint m[8];
  uint place = ags(0x2e, 0, 0, 64, 16), hook;
  InterlockedAdd(Shared[place], 0, hook);
  [unroll] for (uint i = 0; i < 4; i++)
    ags(0x2e, 1, (i & 1) | (i >> 1) << 4, In.Load(8 * i), In.Load(8 * i + 4));
  ags(0x2e, 2, F32 | C, hook, 0);
  GroupMemoryBarrierWithGroupSync();
  place = ags(0x2d, 0, 0, 64, 16);
  InterlockedAdd(Shared[place], 0, hook);
  ags(0x2d, 1, F32 | C | ColumnMajor, hook, 0);
  [unroll] for (uint j = 0; j < 8; j++)
    m[j] = ags(0x2d, 2, (j & 3) | (j >> 2) << 4, 0, 0);
  [unroll] for (uint k = 0; k < 8; k++)
    Out.Store(id * 32 + 4 * k, m[k]);
}
