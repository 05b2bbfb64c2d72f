// dxc-newer: -T cs_6_7 -E main
// QuadAny/QuadAll in 2D compute, with quad reads and compute derivatives
// check: OpGroupNonUniformQuadAnyKHR
// check: OpGroupNonUniformQuadAllKHR
// check: OpGroupNonUniformQuadSwap

RWStructuredBuffer<uint4> dst : register(u0);
StructuredBuffer<float> src : register(t0);

[numthreads(8, 8, 1)]
void main(uint3 id : SV_DispatchThreadID, uint gi : SV_GroupIndex) {
  uint at = id.y * 64 + id.x;
  float v = src[at];
  bool any = QuadAny(v > 0.5f);
  bool all = QuadAll(v > 0.25f);
  uint4 r;
  r.x = (any ? 1u : 0u) | (all ? 2u : 0u);
  r.y = asuint(QuadReadAcrossX(v) + QuadReadAcrossY(v));
  r.z = asuint(QuadReadAcrossDiagonal(v) - QuadReadLaneAt(v, 2));
  r.w = asuint(ddx_fine(v) * 4 + ddy_coarse(v));
  dst[at] = r;
}
