// dxc: -T ps_6_0 -E main
// check: OpExtension "SPV_EXT_shader_stencil_export"
uint main(nointerpolation uint id : ID) : SV_StencilRef { return id; }
