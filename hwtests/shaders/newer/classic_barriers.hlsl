// dxc-newer: -T cs_6_8 -E main
// the six older barrier intrinsics as SM 6.8 lowers them
globallycoherent RWStructuredBuffer<uint> a : register(u0);
groupshared uint s[64];

[numthreads(64, 1, 1)]
void main(uint gi : SV_GroupIndex, uint id : SV_DispatchThreadID) {
  s[gi] = a[id];
  GroupMemoryBarrier();
  GroupMemoryBarrierWithGroupSync();
  a[id] = s[63 - gi];
  DeviceMemoryBarrier();
  DeviceMemoryBarrierWithGroupSync();
  s[gi] += a[id ^ 1];
  AllMemoryBarrier();
  AllMemoryBarrierWithGroupSync();
  a[id] += s[gi ^ 2];
}
