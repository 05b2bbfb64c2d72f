// dxc: -T vs_6_0 -E main
// They are built-ins for the rasterizer and data for a geometry or hull shader.
//! targets = vulkan1.1 vulkan1.3
// check: OpDecorate $l BuiltIn Layer
// check: OpDecorate $ld Location 1
// check: OpDecorate $v BuiltIn ViewportIndex
// check: OpDecorate $vd Location 1
// check: OpDecorate $vd Component 1
struct O { float4 pos : SV_Position; uint layer : SV_RenderTargetArrayIndex; uint view : SV_ViewportArrayIndex; };
O main(uint id : SV_VertexID) { O o; o.pos = id; o.layer = id; o.view = id + 1; return o; }
