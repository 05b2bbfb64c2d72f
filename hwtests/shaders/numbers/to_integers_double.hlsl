// dxc: -T cs_6_2 -E main -enable-16bit-types
// The same of a double.
#define T double
#include "to_integers.hlsl"
