// dxc: -T vs_6_0 -E main
// Position and whole numbers from vertex buffers.
struct V { float4 position : SV_Position; float4 color : COLOR; };
V main(float4 position : POSITION, uint4 color : COLOR) {
  V v;
  v.position = position;
  v.color = float4(color);
  return v;
}
