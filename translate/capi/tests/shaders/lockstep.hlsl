// dxc: -T cs_6_0 -E main
// A group of one wave that does without barriers.
RWStructuredBuffer<uint> Out : register(u0);
groupshared uint Shared[32];

[numthreads(32, 1, 1)]
void main(uint i : SV_GroupIndex) {
  Shared[i] = i;
  uint sum = Shared[i ^ 1];
  Shared[i] = sum * 3;
  InterlockedAdd(Shared[i & 3], sum);
  GroupMemoryBarrierWithGroupSync();
  Out[i] = Shared[31 - i];
}
