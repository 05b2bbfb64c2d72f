// dxc: -T ps_6_0 -E main
// One for front faces, a half for back faces.
float4 main(float4 pos : SV_Position, bool face : SV_IsFrontFace) : SV_Target { return face ? 1 : 0.5; }
