// dxc: -T hs_6_0 -E main
// Four lines of three segments: the first factor is the number of lines.
struct P { float4 pos : SV_Position; float2 uv : UV; };
struct C { float edges[2] : SV_TessFactor; };
C constants() { C c; c.edges[0] = 4; c.edges[1] = 3; return c; }
[domain("isoline")] [partitioning("integer")] [outputtopology("line")] [outputcontrolpoints(2)]
[patchconstantfunc("constants")]
P main(InputPatch<P, 2> i, uint k : SV_OutputControlPointID) { return i[k]; }
