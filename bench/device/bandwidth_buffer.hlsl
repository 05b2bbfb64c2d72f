// dxc: -T cs_6_0 -E main
// Reads of 16 bytes from a buffer.
#define ROWS StructuredBuffer<uint4> data : register(t0);
#define READ data[at & mask]
#define FILL
#include "bandwidth.hlsli"
