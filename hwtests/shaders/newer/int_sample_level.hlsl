// dxc-newer: -T cs_6_7 -E main
// SampleLevel on integer 2D array, 3D and 1D textures, with clamp status and 16-bit texels
Texture2DArray<int2> a : register(t0);
Texture3D<uint> v : register(t1);
Texture1D<uint3> l : register(t2);
SamplerState samp : register(s0);
RWByteAddressBuffer dst : register(u0);

[numthreads(4, 4, 4)]
void main(uint3 id : SV_DispatchThreadID, uint gi : SV_GroupIndex) {
  float3 c = (float3(id) + 0.5f) / 16.0f;
  uint status;
  int2 x = a.SampleLevel(samp, float3(c.xy, id.z & 3), 0.0f);
  uint y = v.SampleLevel(samp, c, 1.0f, int3(0, 1, -1), status);
  uint3 z = l.SampleLevel(samp, c.x, 0.0f);
  uint4 r = uint4(x.x, x.y + y, z.x ^ z.y, z.z);
  if (CheckAccessFullyMapped(status)) r.w |= 0x80000000u;
  dst.Store4((id.z * 256 + id.y * 16 + id.x) * 16, r);
}
