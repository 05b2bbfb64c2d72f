// dxc: -T ds_6_0 -E main
// The domain lies on the target as it is drawn in books: u to the right, v down.
struct P { float4 pos : SV_Position; float2 uv : UV; };
struct C { float edges[4] : SV_TessFactor; float inside[2] : SV_InsideTessFactor; };
struct O { float4 pos : SV_Position; float4 color : COLOR; nointerpolation uint id : ID; };
[domain("quad")]
O main(C c, float2 at : SV_DomainLocation, const OutputPatch<P, 1> p) {
  O o;
  o.pos = float4(at.x * 2 - 1, 1 - at.y * 2, 0.5, 1);
  o.color = 1;
  o.id = 0;
  return o;
}
