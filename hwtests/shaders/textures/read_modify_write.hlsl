// dxc: -T cs_6_0 -E main
// Typed UAV loads of single-component and of four-component texels.
RWTexture2D<uint> A : register(u0);
RWTexture2D<float4> B : register(u1);

[numthreads(4, 4, 1)]
void main(uint2 id : SV_DispatchThreadID) {
  A[id] = A[id] * 2 + id.x;
  float4 v = B[id.yx];
  AllMemoryBarrierWithGroupSync();
  B[id] = v.wzyx + 1;
}
