// dxc: -T cs_6_0 -E main
// Groups with 4 KiB of groupshared memory each.
#define WORDS 1024
#include "occupancy.hlsli"
