// dxc: -T lib_6_3
//! targets = vulkan1.3
//! without = RAY_TRACING
// error: the target lacks rayTracingPipeline
#include "vulkan_1_1.hlsl"
