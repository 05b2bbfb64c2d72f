// dxc: -T ps_6_0 -E main
// The system value is all ones or zero, whatever type it is declared with.
// check: BuiltIn FrontFacing
// check: OpConstant $u 4294967295
// check: OpSelect $u
float4 main(uint face : SV_IsFrontFace) : SV_Target { return face; }
