// dxc: -T ps_6_1 -E main
struct O { float4 pos : SV_Position; nointerpolation uint view : VIEW; };
float4 main(O o, uint view : SV_ViewID) : SV_Target { return float4(o.view, view, 0, 1); }
