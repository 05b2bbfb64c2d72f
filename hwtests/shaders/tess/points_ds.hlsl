// dxc: -T ds_6_0 -E main
struct P { float4 pos : SV_Position; float2 uv : UV; };
struct C { float edges[4] : SV_TessFactor; float inside[2] : SV_InsideTessFactor; };
struct O { float4 pos : SV_Position; float4 color : COLOR; nointerpolation uint id : ID; };
[domain("quad")]
O main(C c, float2 at : SV_DomainLocation, uint patch : SV_PrimitiveID) {
  O o;
  // The four corners of the domain go to four texels of row 0 (patch 0) or 1.
  o.pos = float4((at.x + at.y * 2 + 0.5) / 2 - 1, 1 - (patch + 0.5) / 2, 0.5, 1);
  o.color = float4(at, 1, 0);
  o.id = 0;
  return o;
}
