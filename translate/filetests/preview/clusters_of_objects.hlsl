// dxc-newer: -T lib_6_10
// Queries know them, too, and hit objects of NV's extension.
//! entry = gen
//! targets = vulkan1.3
//! options = preview
//! without = INVOCATION_REORDER
// check: OpCapability ShaderInvocationReorderNV
// check: OpCapability RayTracingClusterAccelerationStructureNV
// check: OpCapability RayQueryPositionFetchKHR
// check: OpHitObjectGetClusterIdNV
// check: OpRayQueryGetIntersectionTriangleVertexPositionsKHR
// check: OpRayQueryGetIntersectionClusterIdNV
#include "../../../frontend/tests/data/container/sm610_lib.hlsl"
