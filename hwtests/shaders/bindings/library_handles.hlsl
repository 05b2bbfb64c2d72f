// dxc: -T lib_6_6
// The same where a variable is a handle itself: handles come from global variables, one of them an array.
#include "library.hlsl"
