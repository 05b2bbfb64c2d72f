// dxc: -T vs_6_0 -E main
// A whole element is captured in place; components and rows get variables behind the last location.
//! signature = stream 0 SV_Position 0 0 4 0 0 32
//! signature = stream 0 UV 1 1 1 0 16 32
//! signature = stream 0 N 0 0 0 2 0 12
// check: OpCapability TransformFeedback
// check: Xfb
// check: OpDecorate $pos BuiltIn Position
// check: OpDecorate $pos XfbBuffer 0
// check: OpDecorate $pos XfbStride 32
// check: OpDecorate $pos Offset 0
// check: OpDecorate $uv Location 1
// check: OpDecorate $copy Location 4
// check: OpDecorate $copy XfbBuffer 0
// check: OpDecorate $copy Offset 16
// check: OpDecorate $n Location 3
// check: OpDecorate $n XfbBuffer 2
// check: OpDecorate $n XfbStride 12
struct O { float4 pos : SV_Position; float2 uv[2] : UV; float3 n : N; };
O main(float4 p : P) {
  O o;
  o.pos = p;
  o.uv[0] = p.xy;
  o.uv[1] = p.zw;
  o.n = p.xyz;
  return o;
}
