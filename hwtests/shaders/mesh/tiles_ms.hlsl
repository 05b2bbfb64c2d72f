// dxc: -T ms_6_5 -E main
struct Payload { uint tiles[16]; float scale; uint2 base; };
struct V { float4 pos : SV_Position; nointerpolation uint2 id : ID; };
[numthreads(4, 1, 1)]
[outputtopology("triangle")]
void main(uint t : SV_GroupIndex, uint3 g : SV_GroupID, in payload Payload payload,
          out vertices V v[4], out indices uint3 tri[2]) {
  uint tile = payload.tiles[g.x];
  SetMeshOutputCounts(4, 2);
  float2 at = float2(tile % 4 + t % 2, tile / 4 + t / 2) * payload.scale - 1;
  v[t].pos = float4(at.x, -at.y, 0.5, 1);
  v[t].id = uint2(tile + 1, payload.base.x + payload.base.y);
  if (t < 2) tri[t] = t == 0 ? uint3(0, 1, 2) : uint3(2, 1, 3);
}
