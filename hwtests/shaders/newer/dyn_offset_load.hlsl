// dxc-newer: -T cs_6_7 -E main
// Load with non-constant offsets from 1D, 2D, 2D array, 3D and MSAA textures
Texture1D<float> t1 : register(t0);
Texture2D<float2> t2 : register(t1);
Texture2DArray<uint> t2a : register(t2);
Texture3D<int4> t3 : register(t3);
Texture2DMS<float4> tms : register(t4);
StructuredBuffer<int4> offsets : register(t5);
RWStructuredBuffer<float4> dst : register(u0);

[numthreads(4, 4, 4)]
void main(uint3 id : SV_DispatchThreadID, uint gi : SV_GroupIndex) {
  int4 o = offsets[gi];
  float4 r;
  r.x = t1.Load(int2(id.x, 1), o.x);
  r.yz = t2.Load(int3(id.xy, 0), o.xy);
  r.w = (float)t2a.Load(int4(id, 0), o.zw);
  r += (float4)t3.Load(int4(id, 0), o.xyz);
  r += tms.Load(int2(id.xy), o.w & 3, o.yx);
  dst[id.z * 256 + id.y * 16 + id.x] = r;
}
