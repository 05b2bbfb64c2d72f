// dxc: -T cs_6_0 -E main
// Groups with 32 KiB of groupshared memory each.
#define WORDS 8192
#include "occupancy.hlsli"
