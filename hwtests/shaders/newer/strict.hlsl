// dxc-newer: -T cs_6_6 -E main -Gis -denorm preserve
// IEEE strictness and preserved denormals: no fast flags, precise, NaN compares, isnan
StructuredBuffer<float2> src : register(t0);
RWStructuredBuffer<float4> dst : register(u0);
[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  float2 v = src[id];
  precise float e = v.x * v.y + v.x;
  float m = min(v.x, v.y), k = max(v.x, 0.0f);
  float q = v.x / v.y;
  uint f = (v.x != v.x ? 1 : 0) | (!(v.x < v.y) ? 2 : 0) | (isinf(q) ? 4 : 0) | (v.x == v.y ? 8 : 0);
  dst[id] = float4(e, m + k, q, asfloat(f));
}
