// dxc: -T cs_6_0 -E main
// Ballots with their bit counts.
#define STEP (dot(countbits(WaveActiveBallot(((x ^ lane) & 1) != 0)), 1) + lane)
#include "wave.hlsli"
