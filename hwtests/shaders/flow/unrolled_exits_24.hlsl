// dxc: -T cs_6_0 -E main
#define STEPS 24
#include "unrolled_exits.hlsli"
