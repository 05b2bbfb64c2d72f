// dxc: -T ps_6_1 -E main
// Element 0 of the signature is read per vertex, the other one is not.
//! targets = vulkan1.2 vulkan1.3
// check: OpDecorate $b Location 1
// check: OpDecorate $a Location 0
// check: OpDecorate $a PerVertexKHR
// count: 1 PerVertexKHR
float4 main(nointerpolation float4 a : A, float4 b : B) : SV_Target {
  return GetAttributeAtVertex(a, 0) + GetAttributeAtVertex(a, 1) * GetAttributeAtVertex(a, 2) + b;
}
