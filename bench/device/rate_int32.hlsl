// dxc: -T cs_6_0 -E main
// Multiply-adds of 32-bit integers.
#define SCALAR uint
#define VECTOR uint4
#define STEP(x, f) ((x) * (f) + (f))
#include "rate.hlsli"
