// dxc: -T cs_6_0 -E main
// check: OpVariable $p Workgroup
// check: OpAccessChain
groupshared float4 vectors[16];
groupshared float4x4 matrices[4];
groupshared uint counters[8];
struct Item { float a; uint b[3]; };
groupshared Item items[8];
[numthreads(64, 1, 1)]
void main(uint id : SV_GroupIndex) {
  vectors[id & 15] = float4(id, 1, 2, 3);
  matrices[id & 3][id & 1] = vectors[id & 7];
  items[id & 7].b[id & 1] = id;
  items[id & 7].a = 3;
  GroupMemoryBarrierWithGroupSync();
  counters[id & 7] = items[(id + 1) & 7].b[2] + (uint)matrices[id & 3][2][id & 3];
}
