// dxc: -T cs_6_6 -E main
// Without square derivative groups, a group of 8x4x2 is declared as 16x2x2: four threads in a row
// are a quad of two by two, and the numbers of the threads are computed.
//! without = COMPUTE_DERIVATIVES_QUADS
// check: OpCapability ComputeDerivativeGroupLinearKHR
// not: ComputeDerivativeGroupQuadsKHR
// check: OpExecutionMode $main LocalSize 16 2 2
// check: DerivativeGroupLinearKHR
// check: BuiltIn LocalInvocationId
// not: GlobalInvocationId
// not: LocalInvocationIndex
// check: OpDPdxCoarse
groupshared float sink[64];
RWStructuredBuffer<float> Out : register(u0);
[numthreads(8, 4, 2)]
void main(uint3 at : SV_DispatchThreadID, uint id : SV_GroupIndex) {
  float v = at.x * at.y;
  Out[id] = ddx(v * v) + at.z;
}
