// A group reads what another one writes.
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(32, 1, 1)]
void main(uint i : SV_GroupThreadID, uint3 group : SV_GroupID) {
  Out[group.x * 32 + i] = i;
  AllMemoryBarrierWithGroupSync();
#ifdef DEFECT
  uint from = group.x ^ 1;
#else
  uint from = group.x;
#endif
  Out[128 + group.x * 32 + i] = Out[from * 32 + 31 - i];
}
