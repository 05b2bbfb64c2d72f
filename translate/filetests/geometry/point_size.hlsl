// dxc: -T gs_6_0 -E main
//! signature = point_size
// check: OpCapability GeometryPointSize
// check: OpDecorate $size BuiltIn PointSize
// count: 2 OpStore $size
struct V { float4 pos : SV_Position; };
[maxvertexcount(2)]
void main(point V i[1], inout PointStream<V> s) { s.Append(i[0]); s.Append(i[0]); }
