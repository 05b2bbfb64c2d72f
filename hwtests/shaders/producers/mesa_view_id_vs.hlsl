// compiled: dxc -spirv, then spirv-to-dxil 0.4.7 (Mesa), shader model 6.2
// Mesa writes the view-id state as an aggregate of integers.
struct V { float4 pos : SV_Position; float2 uv : TEXCOORD0; };
V main(float2 p : POSITION) { V v; v.pos = float4(p, 0, 1); v.uv = p * 0.5 + 0.5; return v; }
