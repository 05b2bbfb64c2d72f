// dxc: -T cs_6_6 -E main
// 64-bit atomics on raw and structured buffers.
StructuredBuffer<uint64_t> In : register(t0);
RWByteAddressBuffer Raw : register(u0);
RWStructuredBuffer<uint64_t> Structured : register(u1);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  uint64_t v = In[id];
  Raw.InterlockedAdd64(0, v);
  Raw.InterlockedMax64(8, v);
  Raw.InterlockedXor64(16, v);
  InterlockedMin(Structured[0], v);
  InterlockedOr(Structured[1], v);
  uint64_t old;
  InterlockedCompareExchange(Structured[2], (uint64_t)3, (uint64_t)0x1234567890ull, old);
}
