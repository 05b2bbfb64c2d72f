// dxc: -T ps_6_5 -E main
float4 main(float4 at : SV_Position, nointerpolation uint sum : SUM) : SV_Target { return float4(sum, at.x, at.y, 1); }
