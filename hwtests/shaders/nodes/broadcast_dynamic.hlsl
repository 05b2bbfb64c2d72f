// dxc-newer: -T lib_6_8
// broadcasting launch with SV_DispatchGrid in the record and NodeMaxDispatchGrid; group outputs
struct Tiles { uint3 grid : SV_DispatchGrid; float4 color; uint target; };
struct Blend { uint2 at; float4 color; };
RWTexture2D<float4> img : register(u0);

[Shader("node")] [NodeLaunch("broadcasting")] [NodeMaxDispatchGrid(64, 64, 1)] [NumThreads(8, 8, 1)]
void shadeTile(DispatchNodeInputRecord<Tiles> rec, uint2 id : SV_DispatchThreadID, uint2 g : SV_GroupID, uint t : SV_GroupIndex,
               [MaxRecords(2)] NodeOutput<Blend> edge) {
  float4 c = rec.Get().color * (float)(id.x ^ id.y) / 255.0f;
  img[id] = c;
  GroupNodeOutputRecords<Blend> o = edge.GetGroupNodeOutputRecords(2);
  if (t < 2) {
    o[t].at = g * 8 + t * 7;
    o[t].color = c + rec.Get().target;
  }
  o.OutputComplete();
}
[Shader("node")] [NodeLaunch("coalescing")] [NumThreads(16, 1, 1)]
void edge([MaxRecords(16)] GroupNodeInputRecords<Blend> recs, uint t : SV_GroupIndex) {
  if (t < recs.Count()) {
    Blend b = recs[t];
    img[b.at] = lerp(img[b.at], b.color, 0.5f);
  }
}
