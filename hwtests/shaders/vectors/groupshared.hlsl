// dxc-newer: -T cs_6_9 -E main
// native vectors in groupshared arrays, tree reduction
StructuredBuffer<vector<float, 8> > src : register(t0);
RWStructuredBuffer<vector<float, 8> > dst : register(u0);
groupshared vector<float, 8> acc[64];

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID, uint t : SV_GroupIndex, uint g : SV_GroupID) {
  acc[t] = src[id];
  GroupMemoryBarrierWithGroupSync();
  for (uint s = 32; s > 0; s >>= 1) {
    if (t < s) acc[t] += acc[t + s];
    GroupMemoryBarrierWithGroupSync();
  }
  if (t < 8) acc[0][t] = sqrt(acc[0][t]);
  GroupMemoryBarrierWithGroupSync();
  if (t == 0) dst[g] = acc[0];
}
