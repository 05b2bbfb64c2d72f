// dxc: -T cs_6_0 -E main
// Sums over a wave.
#define STEP WaveActiveSum(x + lane)
#include "wave.hlsli"
