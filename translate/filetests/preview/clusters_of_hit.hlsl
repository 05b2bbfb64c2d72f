// dxc-newer: -T lib_6_10
// A hit shader knows the vertices of its triangle and the triangle's cluster.
//! entry = hit
//! targets = vulkan1.3
//! options = preview
// check: OpCapability RayTracingPositionFetchKHR
// check: OpCapability RayTracingClusterAccelerationStructureNV
// check: OpExtension "SPV_KHR_ray_tracing_position_fetch"
// check: OpExtension "SPV_NV_cluster_acceleration_structure"
// check: OpDecorate $vertices BuiltIn HitTriangleVertexPositionsKHR
// check: OpDecorate $cluster BuiltIn ClusterIDNV
// check: OpLoad $uint $cluster
#include "../../../frontend/tests/data/container/sm610_lib.hlsl"
