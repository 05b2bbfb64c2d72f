// dxc: -T ds_6_0 -E main
struct P { float4 pos : SV_Position; float2 uv : UV; };
struct C { float edges[4] : SV_TessFactor; float inside[2] : SV_InsideTessFactor; };
struct O { float4 pos : SV_Position; float2 at : AT; };
[domain("quad")]
O main(C c, float2 at : SV_DomainLocation, uint patch : SV_PrimitiveID) {
  O o;
  o.pos = float4(at, 0.5, 1);
  o.at = at * 2 + patch;
  return o;
}
