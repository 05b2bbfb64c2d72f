// dxc: -T cs_6_0 -E main
// Prefix sums over a wave.
#define STEP WavePrefixSum(x + 1)
#include "wave.hlsli"
