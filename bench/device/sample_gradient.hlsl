// dxc: -T cs_6_0 -E main
// Samples with gradients that cover eight texels by one.
#define SAMPLE source.SampleGrad(filtering, at, float2(8 / 256.0, 0), float2(0, 1 / 256.0))
#include "sample.hlsli"
