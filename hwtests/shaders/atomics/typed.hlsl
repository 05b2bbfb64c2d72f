// dxc: -T cs_6_0 -E main
// Atomics on typed buffers.
RWBuffer<uint> U : register(u0);
RWBuffer<int> S : register(u1);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  InterlockedAdd(U[id & 3], id);
  InterlockedOr(U[4], 1u << (id & 31));
  InterlockedMax(S[0], int(id) - 70);
  InterlockedMin(S[1], int(id) - 70);
  uint old;
  InterlockedCompareExchange(U[5], 7, 8, old);
  if (old == 7) InterlockedAdd(U[6], 1);
}
