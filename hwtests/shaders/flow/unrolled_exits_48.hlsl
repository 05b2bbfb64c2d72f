// dxc: -T cs_6_0 -E main
#define STEPS 48
#include "unrolled_exits.hlsli"
