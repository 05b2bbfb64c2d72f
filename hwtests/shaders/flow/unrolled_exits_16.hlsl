// dxc: -T cs_6_0 -E main
#define STEPS 16
#include "unrolled_exits.hlsli"
