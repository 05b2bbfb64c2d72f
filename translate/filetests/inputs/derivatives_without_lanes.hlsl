// dxc: -T cs_6_6 -E main
//! without = COMPUTE_DERIVATIVES_QUADS COMPUTE_DERIVATIVES_LINEAR SUBGROUP SUBGROUP_QUAD
// error: the target lacks computeDerivativeGroupLinear and subgroup operations, which derivatives in a compute shader needs
RWStructuredBuffer<float> Out : register(u0);
[numthreads(8, 8, 1)]
void main(uint2 at : SV_DispatchThreadID) {
  Out[at.x] = ddx(at.y * 0.5);
}
