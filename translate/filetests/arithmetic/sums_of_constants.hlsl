// dxc: -T vs_6_0 -E main
// Where an instruction takes one constant, a sum of constants keeps its order; a sum of loads does
// not.
//! options = numerics_nvidia
// count: 4 OpFMul
// count: 4 OpFAdd
// count: 11 Fma
cbuffer C : register(b0) {
  float4x4 M;
}
StructuredBuffer<float4> Planes : register(t0);
struct Out {
  float4 position : SV_Position;
  float plane : A;
};
Out main(float3 p : POSITION, uint i : INDEX) {
  Out o;
  o.position = mul(M, float4(p, 1));
  o.plane = dot(Planes[i].xyz, p) + Planes[i].w;
  return o;
}
