// dxc: -T vs_6_1 -E main
// Two bits of a specialization constant for each view index; eight for the instance's viewport.
//! signature = view table 5
//! signature = view viewports 6
// check: SpecId 5
// check: SpecId 6
// count: 2 OpSpecConstant
// check: BuiltIn ViewportIndex
// check: OpBitFieldUExtract
// check: OpBitFieldUExtract
#include "view_index.hlsl"
