// dxc: -T cs_6_0 -E main
// One thread follows a chain through groupshared memory of 16 KiB.
#define CHAIN StructuredBuffer<uint> chain : register(t0); groupshared uint tile[4096];
#define NEXT tile[at & 4095]
#define FILL for (uint word = 0; word < 4096; ++word) tile[word] = chain[word];
#include "latency.hlsli"
