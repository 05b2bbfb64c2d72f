// dxc: -T lib_6_5
// SPV_NV_shader_invocation_reorder lacks the positions of a hit object's triangle: zeros where the
// caller asks for these.
//! entry = gen
//! nvapi = 127 1
//! targets = vulkan1.3
//! options = zero_missing
// check: $zero = OpConstant $uint 0
// check: OpHitObjectRecordEmptyNV
// check: $none = OpBitcast $float $zero
// check: OpStore $at $none
// not: OpHitObjectGetIntersectionTriangleVertexPositionsEXT
#include "nvapi_hit_object_positions.hlsl"
