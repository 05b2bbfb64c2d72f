// dxc: -T cs_6_0 -E main
// check: OpControlBarrier
// check: OpControlBarrier
// check: OpControlBarrier
// check: OpMemoryBarrier
// check: OpMemoryBarrier
// check: OpMemoryBarrier
groupshared uint sink[64];
[numthreads(64, 1, 1)]
void main(uint id : SV_GroupIndex) {
  sink[id] = 1;
  GroupMemoryBarrierWithGroupSync();
  sink[id] += 2;
  DeviceMemoryBarrierWithGroupSync();
  sink[id] += 3;
  AllMemoryBarrierWithGroupSync();
  sink[id] += 3;
  GroupMemoryBarrier();
  sink[id] += 3;
  DeviceMemoryBarrier();
  sink[id] += 3;
  AllMemoryBarrier();
  sink[id] += 3;
}
