// dxc: -T cs_6_6 -E main
//! without = INTEGER_DOT_PRODUCT
// not: OpSDot
groupshared uint sink[64];
[numthreads(64, 1, 1)]
void main(uint id : SV_GroupIndex, uint3 g : SV_GroupID) {
  uint v = dot4add_u8packed(id, g.x, g.y);
  v ^= (uint)dot4add_i8packed(id, g.x, (int)g.y);
  v ^= pack_u8(uint4(id, g.xyz)) ^ pack_s8(int4(id, g.xyz)) ^ pack_clamp_u8(int4(id, g.xyz)) ^ pack_clamp_s8(int4(id, g.zyx));
  uint4 u = unpack_u8u32(v);
  int4 s = unpack_s8s32(v);
  sink[id] = u.x + u.y * u.z + u.w + s.x * s.y + s.z + s.w;
}
