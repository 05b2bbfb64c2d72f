// dxc: -T hs_6_0 -E main
// One entry point calls both phases; the patch constants are the first invocation's work.
// check: OpCapability Tessellation
// check: OpEntryPoint TessellationControl $main
// check: OpExecutionMode $main Triangles
// check: OpExecutionMode $main SpacingFractionalOdd
// check: OpExecutionMode $main VertexOrderCw
// check: OpExecutionMode $main OutputVertices 3
// check: OpDecorate $id BuiltIn InvocationId
// check: OpDecorate $uv Location 1
// check: OpDecorate $outer BuiltIn TessLevelOuter
// check: OpDecorate $outer Patch
// check: OpDecorate $shift Location 2
// check: OpDecorate $shift Patch
// check: OpFunctionCall $void
// check: OpControlBarrier
// check: OpIEqual
// check: OpFunctionCall $void
struct P { float4 pos : SV_Position; float2 uv : UV; };
struct C { float edges[3] : SV_TessFactor; float inside : SV_InsideTessFactor; float2 shift : SHIFT; };
C pc(InputPatch<P, 3> i, OutputPatch<P, 3> o, uint id : SV_PrimitiveID) {
  C c;
  c.edges[0] = o[1].pos.x;
  c.edges[1] = 2;
  c.edges[2] = 3;
  c.inside = i[0].uv.x;
  c.shift = o[2].uv + id;
  return c;
}
[domain("tri")] [partitioning("fractional_odd")] [outputtopology("triangle_cw")] [outputcontrolpoints(3)]
[patchconstantfunc("pc")] [maxtessfactor(15)]
P main(InputPatch<P, 3> i, uint k : SV_OutputControlPointID) { return i[k]; }
