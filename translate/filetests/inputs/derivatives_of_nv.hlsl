// dxc: -T cs_6_6 -E main
// The extension is the one that the target has.
//! without = COMPUTE_DERIVATIVES_KHR
// check: OpExtension "SPV_NV_compute_shader_derivatives"
// not: "SPV_KHR_compute_shader_derivatives"
// check: DerivativeGroupLinearKHR
RWStructuredBuffer<float> Out : register(u0);
[numthreads(64, 1, 1)]
void main(uint at : SV_DispatchThreadID) {
  Out[at] = ddx(at * 0.5);
}
