// dxc: -T cs_6_0 -E main
// Groups with 16 KiB of groupshared memory each.
#define WORDS 4096
#include "occupancy.hlsli"
