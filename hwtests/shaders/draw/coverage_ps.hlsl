// dxc: -T ps_6_0 -E main
// In columns 0 to 3 that many samples; the mask that came in counts on the left only.
struct T { float4 color : SV_Target; uint coverage : SV_Coverage; };
T main(float4 position : SV_Position, float4 color : COLOR, uint covered : SV_Coverage) {
  T t;
  t.color = color;
  t.coverage = covered & ((1u << uint(position.x)) - 1);
  return t;
}
