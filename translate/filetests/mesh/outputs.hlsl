// dxc: -T ms_6_5 -E main
//! targets = vulkan1.3
// Data per primitive lives behind data per vertex; each row is one store.
// check: OpEntryPoint MeshEXT $main "main"
// check: OpExecutionMode $main LocalSize 8 1 1
// check: OpExecutionMode $main OutputLinesEXT
// check: OpExecutionMode $main OutputVertices 16
// check: OpExecutionMode $main OutputPrimitivesEXT 8
// check: OpDecorate $position BuiltIn Position
// check: OpDecorate $color Location 1
// check: OpDecorate $index BuiltIn PrimitiveLineIndicesEXT
// check: OpDecorate $layer BuiltIn Layer
// check: OpDecorate $layer PerPrimitiveEXT
// check: OpDecorate $material Location 3
// check: OpDecorate $material PerPrimitiveEXT
// check: OpVariable $payload TaskPayloadWorkgroupEXT
// check: OpSetMeshOutputsEXT
// count: 5 OpStore
struct Payload { uint count; float4 color; };
struct V { float4 pos : SV_Position; float4 color : COLOR; };
struct P { uint layer : SV_RenderTargetArrayIndex; uint material : MATERIAL; };
[numthreads(8, 1, 1)]
[outputtopology("line")]
void main(uint t : SV_GroupIndex, in payload Payload p, out vertices V v[16], out indices uint2 l[8], out primitives P q[8]) {
  SetMeshOutputCounts(p.count * 2, p.count);
  v[t].pos = float4(t, 1, 2, 3);
  v[t].color = p.color * t;
  l[t] = uint2(t, t + 1);
  q[t].layer = t / 4;
  q[t].material = t;
}
