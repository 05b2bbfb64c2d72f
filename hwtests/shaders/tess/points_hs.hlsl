// dxc: -T hs_6_0 -E main
// No control point goes out at all; the tessellator makes points.
struct P { float4 pos : SV_Position; float2 uv : UV; };
struct C { float edges[4] : SV_TessFactor; float inside[2] : SV_InsideTessFactor; };
C constants(InputPatch<P, 2> i, uint id : SV_PrimitiveID) {
  C c;
  [unroll] for (uint k = 0; k < 4; ++k) c.edges[k] = 1;
  // The second patch is culled by a factor of zero.
  if (id == 1) c.edges[2] = 0;
  c.inside[0] = c.inside[1] = i[1].pos.w;
  return c;
}
[domain("quad")] [partitioning("fractional_odd")] [outputtopology("point")] [outputcontrolpoints(0)]
[patchconstantfunc("constants")]
void main(InputPatch<P, 2> i) {}
