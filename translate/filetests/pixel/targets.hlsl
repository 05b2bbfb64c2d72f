// dxc: -T ps_6_0 -E main
// check: DepthReplacing
// check: BuiltIn FragDepth
struct Out { float4 a : SV_Target0; uint2 b : SV_Target1; int c : SV_Target3; float d : SV_Depth; };
Out main(float4 pos : SV_Position) {
  Out o;
  o.a = pos; o.b = (uint2)pos.xy; o.c = (int)pos.x; o.d = pos.z * 0.5;
  return o;
}
