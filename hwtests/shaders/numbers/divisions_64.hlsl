// dxc: -T cs_6_2 -E main -enable-16bit-types
// Division, remainder and shifts in 64 bits.
#define T int64_t
#define U uint64_t
#include "divisions.hlsl"
