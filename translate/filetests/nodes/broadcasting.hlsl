// dxc-newer: -T lib_6_8
// broadcasting launch with a fixed dispatch grid, node input record, entry node flag, output to a thread launch node
//! entry = expand
// check: OpEntryPoint GLCompute $entry "expand"
// check: OpDecorate $target SpecId 100
// check: OpDecorate $size BuiltIn WorkgroupSize
// check: $target = OpSpecConstant $uint 0
// check: $size = OpSpecConstantComposite
// check: OpGroupNonUniformIAdd $uint $scope Reduce
// check: OpFunctionCall
// check: OpControlBarrier
// count: 3 OpAtomicIAdd
#include "../../../hwtests/shaders/nodes/broadcast_grid.hlsl"
