// dxc: -T ps_6_0 -E main
//! without = GEOMETRY TESSELLATION
// check: OpCapability MeshShadingEXT
// check: OpExtension "SPV_EXT_mesh_shader"
float4 main(uint id : SV_PrimitiveID) : SV_Target { return id; }
