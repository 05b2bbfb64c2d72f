// dxc: -T ps_6_0 -E main
// What the vertex shader says of its view.
struct O { float4 pos : SV_Position; nointerpolation uint view : VIEW; };
float4 main(O o) : SV_Target { return float4(o.view, 0, 0, 1); }
