// dxc: -T cs_6_2 -E main -enable-16bit-types -O3
// DXC turns stores of a constant vector by all threads into an initializer of the variable.
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<float> Out : register(u0);

groupshared float3 v;
groupshared float4x4 m;
groupshared uint2 u;
groupshared int16_t4 s;
groupshared half3 h;
groupshared uint64_t2 w;
groupshared float4 zeros;

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  v = float3(1, 2, 3);
  m = float4x4(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16);
  u = uint2(7, 8);
  s = int16_t4(-1, -2, -3, -4);
  h = half3(0.5, 1.5, 2.5);
  w = uint64_t2(0x300000001ull, 0x500000002ull);
  zeros = 0;
  GroupMemoryBarrierWithGroupSync();
  uint i = In[id];
  float sum = v[i % 3] + m[i & 3][(i >> 2) & 3] * 16 + u[i & 1] * 512 + s[i & 3] * 8192;
  sum += h[i % 3] + zeros[i & 3] + (uint)(w[i & 1] >> 32) * 65536;
  Out[id] = sum;
}
