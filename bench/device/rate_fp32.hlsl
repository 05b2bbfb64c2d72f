// dxc: -T cs_6_0 -E main
// Multiply-adds of 32-bit floats.
#define SCALAR float
#define VECTOR float4
#define STEP(x, f) mad(x, f, f)
#include "rate.hlsli"
