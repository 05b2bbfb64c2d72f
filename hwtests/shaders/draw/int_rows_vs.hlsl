// dxc: -T vs_6_0 -E main
// Whole numbers with signs in an input of two rows.
struct V { float4 position : SV_Position; float4 color : COLOR; };
V main(float4 position : POSITION, int4 rows[2] : COLOR) {
  V v;
  v.position = position;
  v.color = float4(rows[0] - rows[1]);
  return v;
}
