// dxc: -T gs_6_0 -E main
// Two triangles from each point, the second one ended where it is emitted; the shader numbers the primitives.
struct V { float4 pos : SV_Position; uint id : ID; };
struct O { float4 pos : SV_Position; uint primitive : SV_PrimitiveID; };
[maxvertexcount(6)]
void main(point V i[1], uint primitive : SV_PrimitiveID, inout TriangleStream<O> s) {
  O o;
  for (uint k = 0; k < 2; ++k) {
    o.primitive = primitive * 10 + k + 5;
    // The left or right half of row `id`.
    float left = k ? 0 : -1, top = 1 - i[0].id;
    o.pos = float4(left, top, 0.5, 1); s.Append(o);
    o.pos = float4(left + 2, top, 0.5, 1); s.Append(o);
    o.pos = float4(left, top - 2, 0.5, 1); s.Append(o);
    s.RestartStrip();
  }
}
