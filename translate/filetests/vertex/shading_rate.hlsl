// dxc: -T vs_6_4 -E main
//! targets = vulkan1.2 vulkan1.3
// check: BuiltIn PrimitiveShadingRateKHR
float4 main(uint id : SV_VertexID, out uint rate : SV_ShadingRate) : SV_Position { rate = id; return id; }
