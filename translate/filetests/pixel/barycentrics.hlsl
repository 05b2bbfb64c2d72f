// dxc: -T ps_6_1 -E main
//! targets = vulkan1.3
// check: BuiltIn BaryCoordKHR
// check: PerVertexKHR
float4 main(float3 b : SV_Barycentrics, nointerpolation float4 c : COLOR) : SV_Target {
  return GetAttributeAtVertex(c, 0) * b.x + GetAttributeAtVertex(c, 1) * b.y + GetAttributeAtVertex(c, 2) * b.z;
}
