// dxc-newer: -T cs_6_9 -E main -enable-16bit-types
// isnan/isinf/isfinite/isnormal on scalars and vectors of half, float and double-free code
StructuredBuffer<float3> f : register(t0);
StructuredBuffer<half4> h : register(t1);
RWStructuredBuffer<uint4> dst : register(u0);

uint pack(bool4 b) { return dot((uint4)b, uint4(1, 2, 4, 8)); }

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  float3 x = f[id];
  half4 y = h[id];
  uint4 r;
  r.x = pack(bool4(isnan(x), isnan(y.x)));
  r.y = pack(isinf(y)) | (pack(bool4(isinf(x), false)) << 4);
  r.z = pack(isfinite(y)) | (isfinite(x.y) ? 16 : 0);
  r.w = pack(isnormal(y)) | (isnormal(x.z) ? 16 : 0);
  dst[id] = r;
}
