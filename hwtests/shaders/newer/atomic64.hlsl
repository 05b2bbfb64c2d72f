// dxc-newer: -T cs_6_8 -E main
// 64-bit atomics on typed, raw, structured and groupshared memory; float compare-exchange
RWTexture2D<uint64_t> visibility : register(u0);
RWByteAddressBuffer raw : register(u1);
RWStructuredBuffer<int64_t> s : register(u2);
groupshared uint64_t best;

[numthreads(32, 1, 1)]
void main(uint3 id : SV_DispatchThreadID, uint gi : SV_GroupIndex) {
  if (gi == 0) best = 0;
  GroupMemoryBarrierWithGroupSync();
  uint64_t key = ((uint64_t)asuint(id.x * 0.37f) << 32) | id.x;
  InterlockedMax(best, key);
  InterlockedMax(visibility[id.xy], key);
  uint64_t old;
  raw.InterlockedAdd64(8 * (id.x & 3), key, old);
  raw.InterlockedCompareExchange64(64, old, key, old);
  float oldf;
  raw.InterlockedExchangeFloat(96, id.x * 0.5f, oldf);
  raw.InterlockedCompareStoreFloatBitwise(100, oldf, id.x * 0.25f);
  InterlockedMin(s[id.x & 7], -(int64_t)id.x);
}
