// dxc: -T hs_6_0 -E main
//! signature = patch_offset 20
// check: OpDecorate $x Location 20
// check: OpDecorate $x Patch
struct P { float4 pos : POS; };
struct C { float edges[3] : SV_TessFactor; float inside : SV_InsideTessFactor; float x : X; };
C pc(InputPatch<P, 3> i) { C c; c.edges[0] = c.edges[1] = c.edges[2] = c.inside = 1; c.x = i[0].pos.x; return c; }
[domain("tri")] [partitioning("integer")] [outputtopology("point")] [outputcontrolpoints(3)] [patchconstantfunc("pc")]
P main(InputPatch<P, 3> i, uint k : SV_OutputControlPointID) { return i[k]; }
