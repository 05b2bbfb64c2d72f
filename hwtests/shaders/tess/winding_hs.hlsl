// dxc: -T hs_6_0 -E main
struct P { float4 pos : SV_Position; float2 uv : UV; };
struct C { float edges[4] : SV_TessFactor; float inside[2] : SV_InsideTessFactor; };
C constants() { C c; [unroll] for (uint k = 0; k < 4; ++k) c.edges[k] = 1; c.inside[0] = c.inside[1] = 1; return c; }
[domain("quad")] [partitioning("pow2")] [outputtopology("triangle_cw")] [outputcontrolpoints(1)]
[patchconstantfunc("constants")]
P main(InputPatch<P, 1> i) { return i[0]; }
