// dxc-newer: -T cs_6_7 -E main
// operations the other fixtures lack: tan, asin, acos, sinh, signed bit search, carry add, double split and join, double conversions, ballots, packed signed dot product, signed bit field
RWStructuredBuffer<float4> f : register(u0);
RWStructuredBuffer<uint4> u : register(u1);
RWStructuredBuffer<double> d : register(u2);

[numthreads(32, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  float4 x = f[id];
  uint4 a = u[id];
  float4 r = float4(tan(x.x), asin(clamp(x.y, -1, 1)), acos(clamp(x.z, -1, 1)), sinh(x.w));
  uint4 b = WaveActiveBallot(x.x > 0.5f);
  uint lo, hi;
  asuint(d[id], lo, hi);
  uint2 c = AddUint64(a.xy, uint2(lo, hi));
  a.x = c.x ^ (uint)firstbithigh((int)a.z);
  a.y = c.y + dot4add_i8packed(a.z, a.w, -5);
  a.z = (uint)(((int)a.z << 7) >> 21);
  a.w = b.x ^ (WaveActiveAllTrue(x.y > 0) ? 1 : 0);
  d[id] = asdouble(hi ^ 0x80000000u, lo) + (double)x.x + (double)(int)a.x;
  r.x += (float)d[id] + (float)(int)d[id ^ 1] + (float)(uint)abs(d[id ^ 2]);
  f[id] = r;
  u[id] = a;
}
