// dxc: -T ms_6_5 -E main
struct Payload { float3 v; uint n[4]; };
struct Vertex {
  float4 position : SV_Position;
  nointerpolation uint4 k : K;
  nointerpolation float3 c : C;
};
groupshared float3 shade;

[outputtopology("triangle")]
[numthreads(3, 1, 1)]
void main(uint i : SV_GroupIndex, in payload Payload p, out vertices Vertex v[3],
          out indices uint3 t[1]) {
  // DXC makes this an initializer of the variable.
  shade = float3(7, 8, 9);
  SetMeshOutputCounts(3, 1);
  GroupMemoryBarrierWithGroupSync();
  v[i].position = float4((i & 1) ? 3 : -1, (i & 2) ? 3 : -1, 0.5, 1);
  v[i].k = uint4(p.n[0], p.n[1], p.n[2], p.n[3]);
  v[i].c = p.v + shade[i % 3];
  if (i == 0) t[0] = uint3(0, 1, 2);
}
