// dxc: -T cs_6_0 -E main
#define STEPS 8
#include "unrolled_exits.hlsli"
