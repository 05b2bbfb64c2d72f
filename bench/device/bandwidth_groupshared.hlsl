// dxc: -T cs_6_0 -E main
// Reads of 16 bytes from groupshared memory of 16 KiB.
#define ROWS StructuredBuffer<uint4> data : register(t0); groupshared uint4 tile[1024];
#define READ tile[at & mask & 1023]
#define FILL for (uint row = lane; row < 1024; row += 256) tile[row] = data[row]; GroupMemoryBarrierWithGroupSync();
#include "bandwidth.hlsli"
