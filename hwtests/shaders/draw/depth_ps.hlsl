// dxc: -T ps_6_0 -E main
// The depth grows to the right, whatever the vertices say.
struct T { float4 color : SV_Target; float depth : SV_Depth; };
T main(float4 position : SV_Position, float4 color : COLOR) {
  T t;
  t.color = color;
  t.depth = position.x / 8;
  return t;
}
