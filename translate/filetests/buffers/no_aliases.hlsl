// dxc-newer: -T cs_6_8 -E main
// From SM 6.7 on a shader says that its UAVs do not alias (ResMayNotAlias).
// count: 1 Restrict
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
