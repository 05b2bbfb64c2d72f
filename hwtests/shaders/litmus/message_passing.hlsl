// dxc: -T cs_6_0 -E main
// Message passing: even groups write data and then a flag, odd groups read the flag and then the data, place by
// place. Who sees the flag sees the data.
globallycoherent RWStructuredBuffer<uint> Data : register(u0);
globallycoherent RWStructuredBuffer<uint> Flag : register(u1);
RWStructuredBuffer<uint2> Seen : register(u2);

[numthreads(64, 1, 1)]
void main(uint3 group : SV_GroupID, uint thread : SV_GroupIndex) {
  uint place = group.x / 2 * 64 + thread;
  uint before;
  if (group.x % 2 == 0) {
    InterlockedExchange(Data[place], place + 1, before);
    DeviceMemoryBarrier();
    InterlockedExchange(Flag[place], 1, before);
  } else {
    uint flag, data;
    InterlockedOr(Flag[place], 0, flag);
    DeviceMemoryBarrier();
    InterlockedOr(Data[place], 0, data);
    Seen[place] = uint2(flag, data);
  }
}
