// dxc: -T vs_6_0 -E main
// The first distance clips at the middle of the picture; the second culls what it is negative for everywhere.
struct V { float4 position : SV_Position; float4 color : COLOR; float clip : SV_ClipDistance; float cull : SV_CullDistance; };
V main(float4 position : POSITION, float4 color : COLOR) {
  V v;
  v.position = position;
  v.color = color;
  v.clip = position.x;
  v.cull = color.y - 0.5;
  return v;
}
