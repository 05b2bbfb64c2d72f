// dxc: -T ds_6_0 -E main
struct P { float3 corner : CORNER; };
struct C { float edges[3] : SV_TessFactor; float inside : SV_InsideTessFactor; int4 numbers : NUMBERS; min16float half_value : HALF; };
struct O { float4 pos : SV_Position; float4 color : COLOR; nointerpolation uint id : ID; };
[domain("tri")]
O main(C c, float3 at : SV_DomainLocation, const OutputPatch<P, 3> p) {
  O o;
  o.pos = float4(p[0].corner * at.x + p[1].corner * at.y + p[2].corner * at.z, 1);
  o.color = float4(c.numbers.x, c.numbers.z, c.numbers.y + c.edges[0], c.half_value);
  o.id = 0;
  return o;
}
