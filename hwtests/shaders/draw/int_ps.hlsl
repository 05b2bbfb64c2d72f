// dxc: -T ps_6_0 -E main
int4 main(float4 position : SV_Position, float4 color : COLOR) : SV_Target { return int4(color); }
