// dxc: -T ps_6_0 -E main
uint4 main(float4 position : SV_Position, float4 color : COLOR) : SV_Target { return uint4(color); }
