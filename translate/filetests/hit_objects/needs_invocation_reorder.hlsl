// dxc-newer: -T lib_6_9
// MaybeReorderThread by coherence hint alone, reordercoherent UAV
//! entry = gen
//! targets = vulkan1.3
//! without = INVOCATION_REORDER INVOCATION_REORDER_NV
// error: the target lacks rayTracingInvocationReorder, which a hit object needs
#include "reorder_hint.hlsl"
