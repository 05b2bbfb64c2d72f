// dxc: -T ps_6_0 -E main
float4 main(float4 pos : SV_Position, uint primitive : SV_PrimitiveID) : SV_Target { return primitive; }
