// dxc: -T cs_6_0 -E main -Od
// The same without the optimiser.
#include "../waves/continue_in_loop.hlsl"
