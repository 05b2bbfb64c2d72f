// dxc: -T vs_6_1 -E main
//! without = MULTIVIEW
// error: multiview
#include "view_index.hlsl"
