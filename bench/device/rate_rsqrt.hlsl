// dxc: -T cs_6_0 -E main
// Inverse square roots of 32-bit floats, each with an addition.
#define SCALAR float
#define VECTOR float4
#define STEP(x, f) (rsqrt(x) + (f))
#include "rate.hlsli"
