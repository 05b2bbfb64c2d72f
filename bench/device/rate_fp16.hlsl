// dxc: -T cs_6_2 -enable-16bit-types -E main
// Multiply-adds of 16-bit floats, which devices may pack in pairs.
#define SCALAR float16_t
#define VECTOR float16_t4
#define STEP(x, f) mad(x, f, f)
#include "rate.hlsli"
