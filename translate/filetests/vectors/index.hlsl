// dxc-newer: -T cs_6_9 -E main
//! without = LONG_VECTOR
// dynamic component access on native vectors: insert and extract in loops, partial writes
// A computed index picks from a variable that holds the vector; what it replaces is a selection in each place.
// check: $row = OpTypeArray $float $13
// check: OpVariable $p Function
#include "../../../hwtests/shaders/vectors/index.hlsl"
