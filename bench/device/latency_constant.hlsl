// dxc: -T cs_6_0 -E main
// One thread follows a chain through the rows of a constant buffer.
#define CHAIN cbuffer Rows : register(b1) { uint4 rows[4096]; };
#define NEXT rows[at].x
#define FILL
#include "latency.hlsli"
