// dxc: -T lib_6_6
// The same where a variable is a handle itself.
#include "library_arrays.hlsl"
