// dxc: -T cs_6_6 -E main
// Packing and unpacking of four 8-bit values, truncating and clamping.
StructuredBuffer<int4> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  int4 v = In[id];
  uint o = id * 12;
  Out[o + 0] = (uint)pack_u8(uint4(v));
  Out[o + 1] = (uint)pack_s8(v);
  Out[o + 2] = (uint)pack_clamp_u8(v);
  Out[o + 3] = (uint)pack_clamp_s8(v);
  uint4 u = unpack_u8u32((uint8_t4_packed)v.x);
  int4 s = unpack_s8s32((int8_t4_packed)v.x);
  Out[o + 4] = u.x;
  Out[o + 5] = u.y;
  Out[o + 6] = u.z;
  Out[o + 7] = u.w;
  Out[o + 8] = uint(s.x);
  Out[o + 9] = uint(s.y);
  Out[o + 10] = uint(s.z);
  Out[o + 11] = uint(s.w);
}
