// dxc-newer: -T cs_6_7 -E main
// check: OpImageSparseGather
// check: OpImageGather
// GatherRaw of 64-bit texels from a texture array, with offset and residency status
#include "../../../hwtests/shaders/newer/gather_raw64.hlsl"
