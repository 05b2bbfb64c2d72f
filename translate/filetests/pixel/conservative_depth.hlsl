// dxc: -T ps_6_0 -E main
// check: DepthGreater
float main(noperspective sample float4 pos : SV_Position) : SV_DepthGreaterEqual { return pos.z + 0.5; }
