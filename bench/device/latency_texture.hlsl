// dxc: -T cs_6_0 -E main
// One thread follows a chain through a texture, without a sampler.
#define CHAIN Texture2D<uint> chain : register(t0);
#define NEXT chain.Load(int3(at & ((1u << width_log2) - 1), at >> width_log2, 0))
#define FILL
#include "latency.hlsli"
