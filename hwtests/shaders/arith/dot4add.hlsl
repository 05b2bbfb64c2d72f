// dxc: -T cs_6_4 -E main
// Packed 8-bit dot products with accumulation.
StructuredBuffer<uint3> In : register(t0);
RWStructuredBuffer<uint2> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  uint3 v = In[id];
  Out[id] = uint2(dot4add_u8packed(v.x, v.y, v.z), uint(dot4add_i8packed(v.x, v.y, int(v.z))));
}
