// dxc: -T gs_6_0 -E main
// Read and written under the same name.
// check: OpVariable $in Input
// count: 2 BuiltIn PrimitiveId
struct V { float4 pos : SV_Position; };
struct O { float4 pos : SV_Position; uint primitive : SV_PrimitiveID; };
[maxvertexcount(1)]
void main(point V i[1], uint id : SV_PrimitiveID, inout PointStream<O> s) { O o; o.pos = i[0].pos; o.primitive = id + 3; s.Append(o); }
