// dxc-newer: -T lib_6_9 -E main
// native vectors as arguments and results of functions that are not inlined
// check: $v12 = OpTypeVector $float 12
// check: OpTypeFunction $v12
#include "../../../hwtests/shaders/vectors/calls.hlsl"
