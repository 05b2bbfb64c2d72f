// dxc: -T ps_6_5 -E main
//! options = feedback_neighbours
// One 64-bit atomic per mip; the bits of the next regions stand beside the region's own. A bias makes the
// coordinates change faster, for the whole quad alike.
// check: OpTypeImage $ulong 2D 0 1 0 2 R64ui
// check: OpGroupNonUniformQuadBroadcast
// check: OpVectorTimesScalar
// check: OpImageQueryLod
// check: OpDPdx
// check: OpDPdy
// check: OpBitwiseAnd
// check: OpShiftLeftLogical $ulong
// check: OpAtomicOr $ulong
// check: OpSelectionMerge
// check: OpAtomicOr $ulong
// count: 2 OpAtomicOr
// not:   OpAtomicUMin
#include "min_mip.hlsl"
