// dxc: -T ps_6_1 -E main
//! targets = vulkan1.2 vulkan1.3
// check: OpDecorate $b BuiltIn BaryCoordNoPerspKHR
// check: OpDecorate $b Centroid
float4 main(noperspective centroid float3 b : SV_Barycentrics) : SV_Target { return b.xyzz; }
