// dxc: -T gs_6_0 -E main
// The numbers of the primitive's vertices, five bits each, and a vertex chosen at run time.
struct V { float4 pos : SV_Position; uint id : ID; };
struct S { float4 pos : SV_Position; uint ids[2] : IDS; };
[maxvertexcount(3)]
void main(lineadj V i[4], uint primitive : SV_PrimitiveID, inout LineStream<S> a) {
  S s;
  s.ids[0] = 0;
  for (uint k = 0; k < 4; ++k) s.ids[0] |= i[k].id << (5 * k);
  s.ids[1] = i[primitive % 4].id;
  uint count = 4 == 2 || 4 == 4 ? 2 : 3;
  for (uint c = 0; c < count; ++c) {
    s.pos = i[c].pos;
    a.Append(s);
  }
  a.RestartStrip();
}
