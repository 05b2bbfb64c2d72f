// dxc: -T ds_6_0 -E main
struct P { float4 pos : SV_Position; float2 uv : UV; };
struct C { float edges[2] : SV_TessFactor; };
struct O { float4 pos : SV_Position; float4 color : COLOR; nointerpolation uint id : ID; };
[domain("isoline")]
O main(C c, float2 at : SV_DomainLocation, const OutputPatch<P, 2> p) {
  O o;
  // Line v = k / 4 goes through the middle of row 2k of 8.
  o.pos = float4(at.x * 2 - 1, 1 - (at.y * 2 + 1.0 / 8), 0.5, 1);
  o.color = float4(at.y, c.edges[0], c.edges[1], 0);
  o.id = 1;
  return o;
}
