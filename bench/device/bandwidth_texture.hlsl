// dxc: -T cs_6_0 -E main
// Reads of texels of 16 bytes, without a sampler.
#define ROWS Texture2D<uint4> data : register(t0);
#define READ data.Load(int3(at & ((1u << width_log2) - 1), (at & mask) >> width_log2, 0))
#define FILL
#include "bandwidth.hlsli"
