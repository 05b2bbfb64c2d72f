// dxc: -T cs_6_5 -E main -Od
// The same without the optimiser.
#include "../rays/several.hlsl"
