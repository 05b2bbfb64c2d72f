// dxc-newer: -T vs_6_8 -E main
// check: BuiltIn BaseInstance
// check: BuiltIn BaseVertex
// SV_StartVertexLocation and SV_StartInstanceLocation (ExtendedCommandInformation)
#include "../../../hwtests/shaders/newer/start_location_vs.hlsl"
