// dxc: -T cs_6_0 -E main
// The tables of functions of two floats, in 64 bits.
#define T double
#include "binary.hlsl"
