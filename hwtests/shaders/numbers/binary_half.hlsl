// dxc: -T cs_6_2 -E main -enable-16bit-types
// The tables of functions of two floats, in 16 bits.
#define T half
#include "binary.hlsl"
