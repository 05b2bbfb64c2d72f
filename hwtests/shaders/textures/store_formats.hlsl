// dxc: -T cs_6_0 -E main
// Stores that convert: 8-bit unorm and snorm, half, packed.
RWTexture2D<unorm float4> A : register(u0);
RWTexture2D<snorm float4> B : register(u1);
RWTexture2D<float2> C : register(u2);

[numthreads(8, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  float v = float(id) * 0.25 - 0.5;
  A[uint2(id, 0)] = float4(v, 1 - v, 0.2, 1);
  B[uint2(id, 0)] = float4(v, -v, -1, 2);
  C[uint2(id, 0)] = float2(v * 100, v + 0.125);
}
