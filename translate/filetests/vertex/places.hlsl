// dxc: -T vs_6_0 -E main
// The caller's places come before the packed ones.
//! signature = place input color 3 9 0
//! signature = place output TEXCOORD 2 5 1
// check: OpDecorate $c Location 9
// check: OpDecorate $p Location 0
// check: OpDecorate $uv Location 5
// check: OpDecorate $uv Component 1
struct O { float4 pos : SV_Position; float2 uv : TEXCOORD2; };
O main(float4 p : P, float2 c : COLOR3) { O o; o.pos = p; o.uv = c; return o; }
