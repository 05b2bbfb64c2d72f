// dxc: -T cs_6_0 -E main
// Reads from the next lane.
#define STEP WaveReadLaneAt(x + 1, (lane + 1) & (lanes - 1))
#include "wave.hlsli"
