// dxc: -T ps_6_0 -E main
float4 main(float4 position : SV_Position, nointerpolation float4 color : COLOR) : SV_Target { return color; }
