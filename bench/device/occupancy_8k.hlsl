// dxc: -T cs_6_0 -E main
// Groups with 8 KiB of groupshared memory each.
#define WORDS 2048
#include "occupancy.hlsli"
