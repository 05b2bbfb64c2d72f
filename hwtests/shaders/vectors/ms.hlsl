// dxc-newer: -T ms_6_9 -E main
// mesh stage in SM 6.9, native vectors loaded in one piece per vertex
struct V { float4 pos : SV_Position; float3 n : NORMAL; float2 uv : TEXCOORD0; };
StructuredBuffer<vector<float, 9> > verts : register(t0);
cbuffer C : register(b0) { float4x4 m; uint first; };

[numthreads(24, 1, 1)] [outputtopology("triangle")]
void main(uint t : SV_GroupIndex, uint g : SV_GroupID, out vertices V v[24], out indices uint3 tri[8]) {
  SetMeshOutputCounts(24, 8);
  vector<float, 9> d = verts[first + g * 24 + t];
  v[t].pos = mul(m, float4(d[0], d[1], d[2], 1));
  v[t].n = float3(d[3], d[4], d[5]);
  v[t].uv = float2(d[6], d[7]) * d[8];
  if (t < 8) tri[t] = t * 3 + uint3(0, 1, 2);
}
