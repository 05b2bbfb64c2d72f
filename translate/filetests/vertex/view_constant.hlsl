// dxc: -T vs_6_1 -E main
//! without = MULTIVIEW
//! signature = view constant 3
// not: MultiView
// check: OpConvertUToF $f $three
#include "view_index.hlsl"
