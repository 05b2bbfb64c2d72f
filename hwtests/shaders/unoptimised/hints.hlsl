// dxc: -T cs_6_0 -E main -Od
// The same without the optimiser.
#include "../flow/hints.hlsl"
