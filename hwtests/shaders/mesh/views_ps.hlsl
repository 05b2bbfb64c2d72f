// dxc: -T ps_6_5 -E main
struct V { float4 pos : SV_Position; nointerpolation uint id : ID; };
float4 main(V v) : SV_Target { return float4(v.id, v.pos.x, 0, 1); }
