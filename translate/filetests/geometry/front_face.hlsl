// dxc: -T gs_6_0 -E main
// The face that a geometry shader writes is data.
// check: OpDecorate $face Location 1
// not: FrontFacing
struct V { float4 pos : SV_Position; };
struct O { float4 pos : SV_Position; uint primitive : SV_PrimitiveID; bool face : SV_IsFrontFace; };
[maxvertexcount(1)]
void main(point V i[1], inout PointStream<O> s) { O o; o.pos = i[0].pos; o.primitive = 3; o.face = true; s.Append(o); }
