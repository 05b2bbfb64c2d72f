// dxc: -T gs_6_0 -E main
// A triangle per point over its row, all with the same winding; the shader says which face they show.
struct V { float4 pos : SV_Position; uint id : ID; };
struct O { float4 pos : SV_Position; bool face : SV_IsFrontFace; };
[maxvertexcount(3)]
void main(point V i[1], inout TriangleStream<O> s) {
  O o;
  o.face = i[0].id != 0;
  float top = 1 - i[0].id;
  o.pos = float4(-1, top, 0.5, 1); s.Append(o);
  o.pos = float4(3, top, 0.5, 1); s.Append(o);
  o.pos = float4(-1, top - 4, 0.5, 1); s.Append(o);
}
