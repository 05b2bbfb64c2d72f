// dxc: -T cs_6_0 -E main
// Reads of 16 bytes from a constant buffer, at indices that differ between threads.
#define ROWS cbuffer Rows : register(b1) { uint4 rows[4096]; };
#define READ rows[at & mask]
#define FILL
#include "bandwidth.hlsli"
