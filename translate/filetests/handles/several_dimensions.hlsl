// dxc: -T lib_6_3
// An array of several dimensions is one range: each index counts the resources within.
//! entry = main
// check: $three = OpConstant $uint 3
// check: $row = OpIMul $uint $a $three
// check: $element = OpIAdd $uint $row $b
// check: OpAccessChain $pointer $in $element
#include "../../../hwtests/shaders/bindings/library_arrays.hlsl"
