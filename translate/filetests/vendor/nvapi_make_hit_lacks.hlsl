// dxc: -T lib_6_5
//! entry = gen
//! nvapi = 127 1
//! targets = vulkan1.3
//! without = INVOCATION_REORDER_NV
// error: NVAPI HIT_OBJECT_MAKE_HIT (0x44)
#include "nvapi_make_hit.hlsl"
