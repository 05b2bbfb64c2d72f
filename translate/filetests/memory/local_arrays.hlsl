// dxc: -T cs_6_0 -E main
// check: OpVariable $p Function
groupshared float sink[64];
[numthreads(64, 1, 1)]
void main(uint id : SV_GroupIndex, uint3 g : SV_GroupID) {
  float values[8];
  values[0] = id; values[1] = g.x; values[2] = g.y; values[3] = 5;
  values[4] = 7; values[5] = id * 2; values[6] = 1; values[7] = 0;
  values[g.z & 7] += 3;
  sink[id] = values[id & 7];
}
