// dxc: -T ps_6_5 -E main
float4 main(float4 at : SV_Position, nointerpolation uint2 id : ID) : SV_Target { return float4(id, 0, 1); }
