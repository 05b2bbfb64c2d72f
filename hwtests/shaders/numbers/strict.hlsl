// dxc: -T cs_6_0 -E main -Gis
// The same without a `precise`, in a shader that is compiled with IEEE strictness.
#define precise
#include "precise.hlsl"
