// dxc: -T cs_6_0 -E main
// Every atomic operation on a raw buffer, signed and unsigned.
StructuredBuffer<uint> In : register(t0);
RWByteAddressBuffer Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  uint v = In[id];
  Out.InterlockedAdd(0, v);
  Out.InterlockedMin(4, v);
  Out.InterlockedMax(8, v);
  Out.InterlockedAnd(12, v);
  Out.InterlockedOr(16, v);
  Out.InterlockedXor(20, v);
  uint old;
  Out.InterlockedMin(24, int(v), old);
  Out.InterlockedMax(28, int(v), old);
  Out.InterlockedExchange(32, 1234, old);
  Out.InterlockedCompareStore(36, id, id + 1);
}
