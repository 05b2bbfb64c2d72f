// dxc: -T ps_6_0 -E main
struct O { float4 pos : SV_Position; float4 color : COLOR; nointerpolation uint id : ID; };
float4 main(O o) : SV_Target { return float4(o.color.xyz, o.color.w + o.id * 100); }
