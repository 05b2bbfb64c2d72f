// dxc: -T ps_6_0 -E main
float4 main(float4 pos : SV_Position, out uint reference : SV_StencilRef) : SV_Target { reference = pos.x; return pos; }
