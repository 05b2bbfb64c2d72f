// dxc: -T vs_6_0 -E main
// Positions through three matrices, of which the second and the third belong together.
cbuffer Camera : register(b0) {
  float4x4 both;
  float4x4 one;
  row_major float4x4 other;
  float4 tint;
};

struct Corner {
  float4 position : SV_Position;
  float4 color : COLOR;
};

Corner main(float3 position : POSITION, float4 color : COLOR) {
  Corner corner;
  corner.position = mul(one, mul(mul(both, float4(position, 1)), other));
  corner.color = color + tint;
  return corner;
}
