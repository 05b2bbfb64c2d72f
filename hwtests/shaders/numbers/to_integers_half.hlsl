// dxc: -T cs_6_2 -E main -enable-16bit-types
// The same of a half.
#define T half
#include "to_integers.hlsl"
