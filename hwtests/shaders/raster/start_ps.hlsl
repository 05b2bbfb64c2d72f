// dxc: -T ps_6_0 -E main
float4 main(float4 pos : SV_Position, nointerpolation uint material : MAT) : SV_Target { return float4(material, pos.xy, 1); }
