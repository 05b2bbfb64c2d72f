// dxc: -T ps_6_5 -E main
float4 main(float4 at : SV_Position, uint id : SV_PrimitiveID) : SV_Target { return float4(id, 1, 2, 3); }
