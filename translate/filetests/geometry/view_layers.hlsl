// dxc: -T gs_6_1 -E main
// A pipeline per view instance: the shader's own viewport is moved, and the layer is written with each vertex.
//! signature = view specialized 5
//! signature = view viewports 6
//! signature = view layers 7
// check: SpecId 5
// check: BuiltIn ViewportIndex
// check: BuiltIn Layer
// check: OpIAdd
// check: OpStore $viewport
// check: OpBitFieldUExtract
// check: OpStore $layer
// check: OpEmitVertex
struct V { float4 pos : SV_Position; };
struct O { float4 pos : SV_Position; uint view : SV_ViewportArrayIndex; };
[maxvertexcount(1)]
void main(point V i[1], uint view : SV_ViewID, inout PointStream<O> s) {
  O o;
  o.pos = i[0].pos + view;
  o.view = view + 1;
  s.Append(o);
}
