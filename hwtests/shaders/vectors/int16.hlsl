// dxc-newer: -T cs_6_9 -E main -enable-16bit-types
// native vectors of int16_t/uint16_t: shifts, min/max, bit ops, sign extension
StructuredBuffer<vector<int16_t, 6> > src : register(t0);
RWStructuredBuffer<vector<uint16_t, 6> > dst : register(u0);
RWStructuredBuffer<vector<int, 6> > wide : register(u1);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  vector<int16_t, 6> a = src[id], b = src[id + 64];
  vector<int16_t, 6> m = max(a, b) - min(a, (int16_t)7);
  vector<uint16_t, 6> u = (vector<uint16_t, 6>)a;
  u = (u >> (uint16_t)2) ^ (u << (uint16_t)1) & ~(vector<uint16_t, 6>)m;
  dst[id] = u * (uint16_t)3;
  wide[id] = (vector<int, 6>)m * (vector<int, 6>)b;
}
