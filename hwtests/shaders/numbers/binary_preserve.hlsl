// dxc: -T cs_6_2 -E main -denorm preserve
// The tables of functions of two floats, where denormals must be kept.
#include "binary_flush.hlsl"
