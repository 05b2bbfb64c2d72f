// dxc: -T cs_6_0 -E main
//! options = numerics_honeykrisp
// The driver checks bounds word by word, so that words are one access each; constant rows stay rows.
// count: 2 ArrayStride 4
// count: 1 ArrayStride 16
struct Light { float3 position; float radius; };
StructuredBuffer<Light> lights : register(t0);
RWStructuredBuffer<float> sums : register(u0);
cbuffer Constants : register(b0) { float4 rows[16]; }
[numthreads(64, 1, 1)]
void main(uint id : SV_GroupIndex) {
  Light l = lights[id];
  sums[id] = dot(l.position, rows[id & 15].xyz) * l.radius + rows[3].w;
}
