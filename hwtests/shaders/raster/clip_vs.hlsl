// dxc: -T vs_6_0 -E main
// Six clip distances in two rows, and one cull distance; a row is chosen at run time.
struct O { float4 pos : SV_Position; float3 clip[2] : SV_ClipDistance; float cull : SV_CullDistance; float4 color : COLOR; };
cbuffer Which : register(b0) { uint row; float cull; };
O main(uint id : SV_VertexID) {
  O o;
  float2 corner = float2(id >> 1, id & 1);
  o.pos = float4(corner * 4 - 1, 0.5, 1);
  o.clip[0] = float3(1, 2, 3);
  o.clip[1] = float3(4, 5, 6);
  // Whatever lies left of the middle goes, by component 1 of one row.
  o.clip[row].y = o.pos.x;
  o.cull = cull;
  o.color = float4(corner, 0, 1);
  return o;
}
