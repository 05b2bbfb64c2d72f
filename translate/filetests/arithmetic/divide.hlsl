// dxc: -T cs_6_0 -E main
// Division by zero is caught, division by a known divisor is not.
// count: 1 OpUMod
// count: 2 OpUDiv
// count: 2 OpSDiv
groupshared uint4 sink[64];
groupshared int2 more[64];
[numthreads(64, 1, 1)]
void main(uint id : SV_GroupIndex, uint3 g : SV_GroupID) {
  sink[id] = uint4(id / g.x, id % g.x, id / 7, 0);
  more[id] = int2((int)id / (int)g.y, (int)id / -7);
}
