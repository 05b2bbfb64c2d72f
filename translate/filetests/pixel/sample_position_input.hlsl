// dxc: -T ps_6_0 -E main
// check: OpDecorate $p BuiltIn FragCoord
// check: OpDecorate $p Sample
float4 main(linear noperspective sample float4 p : SV_Position) : SV_Target { return p; }
