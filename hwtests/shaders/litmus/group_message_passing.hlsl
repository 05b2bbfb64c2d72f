// dxc: -T cs_6_0 -E main
// Message passing inside of a group, in groupshared memory, without waiting for each other: the upper half of the
// threads writes, the lower half reads.
RWStructuredBuffer<uint2> Seen : register(u0);
groupshared uint data[64];
groupshared uint flag[64];

[numthreads(128, 1, 1)]
void main(uint3 group : SV_GroupID, uint thread : SV_GroupIndex) {
  uint place = thread % 64;
  uint before;
  if (thread < 64) {
    data[place] = 0;
    flag[place] = 0;
  }
  GroupMemoryBarrierWithGroupSync();
  if (thread >= 64) {
    InterlockedExchange(data[place], place + 1, before);
    GroupMemoryBarrier();
    InterlockedExchange(flag[place], 1, before);
  } else {
    uint seen_flag, seen_data;
    InterlockedOr(flag[place], 0, seen_flag);
    GroupMemoryBarrier();
    InterlockedOr(data[place], 0, seen_data);
    Seen[group.x * 64 + place] = uint2(seen_flag, seen_data);
  }
}
