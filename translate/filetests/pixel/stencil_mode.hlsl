// dxc: -T ps_6_0 -E main
// check: StencilRefReplacingEXT
// check: BuiltIn FragStencilRefEXT
uint main(nointerpolation uint v : V) : SV_StencilRef { return v; }
