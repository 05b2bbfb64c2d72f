// dxc: -T cs_6_2 -E main -enable-16bit-types
// Which halves are NaN, infinite or finite.
#define T half
#include "classes.hlsl"
