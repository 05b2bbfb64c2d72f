// dxc: -T cs_6_0 -E main
// Multiply-adds of 64-bit integers.
#define SCALAR uint64_t
#define VECTOR uint64_t4
#define STEP(x, f) ((x) * (f) + (f))
#include "rate.hlsli"
