// dxc: -T vs_6_0 -E main
//! signature = stream 0 COLOR 1 0 4 0 0 16
// error: stream output of COLOR1: no such output
float4 main(float4 p : P, out float4 color : COLOR0) : SV_Position { color = p; return p; }
