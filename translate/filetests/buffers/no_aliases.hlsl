// dxc-newer: -T cs_6_8 -E main
// From SM 6.7 on a shader says that its UAVs do not alias (ResMayNotAlias).
// count: 1 Restrict
#include "../../../hwtests/shaders/newer/classic_barriers.hlsl"
