// dxc: -T cs_6_0 -E main
groupshared uint sink[64];
groupshared bool flags[64];
[numthreads(64, 1, 1)]
void main(uint id : SV_GroupIndex, uint3 g : SV_GroupID) {
  bool a = id > 3, b = g.x < 5;
  flags[id] = a != b;
  GroupMemoryBarrierWithGroupSync();
  bool c = flags[id ^ 1];
  sink[id] = (uint)(a && c) + (uint)(b ^ c) + (uint)(float)(c) + (a ? 3 : b ? 4 : 5);
}
