// dxc: -T cs_6_0 -E main
//! without = SCALAR_BLOCK_LAYOUT
// A device that wants rows of three to be padded gets words.
// check: OpDecorate $array ArrayStride 4
// count: 3 OpStore
#include "rows_of_three.hlsl"
