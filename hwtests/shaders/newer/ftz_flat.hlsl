// dxc-newer: -T cs_6_6 -E main -denorm ftz -Gfa -all-resources-bound -res-may-alias -Zpr
// flushed denormals, flattened control flow, all resources bound, aliasing resources, row-major packing
cbuffer C : register(b0) { float3x4 m[2]; float2x2 r; };
StructuredBuffer<float4> src : register(t0);
RWStructuredBuffer<float3> dst : register(u0);
RWStructuredBuffer<float3> alias_ : register(u1);
[numthreads(16, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  float4 v = src[id];
  float3 a = mul(m[id & 1], v);
  if (v.x > 0) a.xy = mul(a.xy, r); else if (v.y > 0) a.z = -a.z; else a = v.zyx * 1e-39f;
  dst[id] = a;
  alias_[id] = a * 2;
  dst[id + 16] = dst[id] + alias_[id ^ 1];
}
