// dxc: -T cs_6_2 -E main -denorm ftz
// The tables of functions of two floats, where denormals must count as zero.
#include "binary.hlsl"
