// dxc: -T ps_6_0 -E main
struct O { float4 pos : SV_Position; float4 color : COLOR; uint layer : SV_RenderTargetArrayIndex; uint view : SV_ViewportArrayIndex; };
float4 main(O o) : SV_Target { return float4(o.color.x, o.layer, o.view, 1); }
