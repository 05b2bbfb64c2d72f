// dxc: -T hs_6_0 -E main
// One control point comes in and three go out; the domain shader reads fewer rows than there are.
struct I { float4 pos : SV_Position; float2 uv : UV; };
struct P { float3 corner : CORNER; float4 a : A; float4 b : B; };
struct C { float edges[3] : SV_TessFactor; float inside : SV_InsideTessFactor; int4 numbers : NUMBERS; min16float half_value : HALF; };
C constants(InputPatch<I, 1> i) {
  C c;
  c.edges[0] = c.edges[1] = c.edges[2] = 3.5;
  c.inside = 2.5;
  c.numbers = int4(-1, 2, -3, 4);
  c.half_value = (min16float)(i[0].uv.x + 0.5);
  return c;
}
[domain("tri")] [partitioning("fractional_even")] [outputtopology("triangle_ccw")] [outputcontrolpoints(3)]
[patchconstantfunc("constants")]
P main(InputPatch<I, 1> i, uint k : SV_OutputControlPointID) {
  P p;
  p.corner = float3(k == 1 ? 3 : -1, k == 2 ? 3 : -1, 0.5);
  p.a = float4(k, 0, 0, 0);
  p.b = i[0].pos;
  return p;
}
