// dxc: -T gs_6_0 -E main
// The numbers of the primitive's vertices, five bits each, and a vertex chosen at run time.
struct V { float4 pos : SV_Position; uint id : ID; };
struct S { float4 pos : SV_Position; uint ids[2] : IDS; };
[maxvertexcount(3)]
void main(triangleadj V i[6], uint primitive : SV_PrimitiveID, inout TriangleStream<S> a) {
  S s;
  s.ids[0] = 0;
  for (uint k = 0; k < 6; ++k) s.ids[0] |= i[k].id << (5 * k);
  s.ids[1] = i[primitive % 6].id;
  uint count = 6 == 2 || 6 == 4 ? 2 : 3;
  for (uint c = 0; c < count; ++c) {
    s.pos = i[c].pos;
    a.Append(s);
  }
  a.RestartStrip();
}
