// dxc: -T cs_6_2 -E main -enable-16bit-types
// Division, remainder and shifts in 16 bits.
#define T int16_t
#define U uint16_t
#include "divisions.hlsl"
