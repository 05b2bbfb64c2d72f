// dxc: -T cs_6_2 -E main -enable-16bit-types
// The tables of functions of one float, in 16 bits.
#define T half
#include "unary.hlsl"
