// dxc: -T vs_6_0 -E main
// Where passes over the same geometry need equal positions, these are computed as HLSL says.
//! options = numerics_radv
//! signature = invariant_position
// count: 4 OpFMul
// count: 4 OpFAdd
// count: 20 Fma
cbuffer C : register(b0) {
  float4x4 M;
  float4x4 T;
}
struct Out {
  float4 position : SV_Position;
  float4 other : A;
};
Out main(float3 p : POSITION) {
  Out o;
  o.position = mul(M, float4(p, 1));
  o.other = mul(T, float4(p, 1));
  return o;
}
