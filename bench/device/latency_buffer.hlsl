// dxc: -T cs_6_0 -E main
// One thread follows a chain through a buffer: each read needs the one before.
#define CHAIN StructuredBuffer<uint> chain : register(t0);
#define NEXT chain[at]
#define FILL
#include "latency.hlsli"
