// dxc: -T lib_6_3
// Functions for matrices.hlsl.
export float picked(float4x3 from[2], uint which, uint row) {
  float3 found = from[which][row];
  return found.x + found.y * 2 + found.z * 3;
}

export void grow(inout float2x2 m, float by) {
  m[0][1] += by;
  m[1][0] *= by;
}
