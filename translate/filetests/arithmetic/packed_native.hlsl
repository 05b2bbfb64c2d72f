// dxc: -T cs_6_4 -E main
// check: OpUDot
// check: OpSDot
groupshared uint sink[64];
[numthreads(64, 1, 1)]
void main(uint id : SV_GroupIndex, uint3 g : SV_GroupID) {
  uint v = dot4add_u8packed(id, g.x, g.y);
  v ^= (uint)dot4add_i8packed(id, g.x, (int)g.y);
  sink[id] = v;
}
