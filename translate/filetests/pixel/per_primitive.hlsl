// dxc: -T ps_6_0 -E main
//! signature = place input MATERIAL 0 7 0 per_primitive
//! targets = vulkan1.1 vulkan1.2 vulkan1.3
// check: OpCapability MeshShadingEXT
// check: OpDecorate $m Location 7
// check: OpDecorate $m PerPrimitiveEXT
float4 main(float4 p : P, nointerpolation uint material : MATERIAL) : SV_Target { return p + material; }
