// dxc: -T cs_6_0 -E main
// Groups with 1 KiB of groupshared memory each.
#define WORDS 256
#include "occupancy.hlsli"
