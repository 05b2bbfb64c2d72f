// dxc: -T cs_6_0 -E main
// Fused multiply-adds of 64-bit floats.
#define SCALAR double
#define VECTOR double4
#define STEP(x, f) fma(x, f, f)
#include "rate.hlsli"
