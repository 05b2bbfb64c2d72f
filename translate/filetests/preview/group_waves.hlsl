// dxc-newer: -T cs_6_10
// GetGroupWaveIndex and GetGroupWaveCount are built-in variables of SPIR-V.
//! options = preview
// check: OpDecorate $index BuiltIn SubgroupId
// check: OpDecorate $count BuiltIn NumSubgroups
// check: = OpLoad $uint $index
// check: = OpLoad $uint $count
#include "../../../frontend/tests/data/container/sm610_cs.hlsl"
