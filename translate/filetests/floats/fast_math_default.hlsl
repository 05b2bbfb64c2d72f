// dxc: -T cs_6_2 -E main
// Without an operation that asks for it the module leaves all of math to the device.
//! without = SIGNED_ZERO_INF_NAN_F32
// not: FloatControls2
// not: FPFastMathDefault
RWStructuredBuffer<float> Data : register(u0);
[numthreads(64, 1, 1)]
void main(uint id : SV_GroupIndex) {
  Data[id] = Data[id] * 2 + Data[id + 64];
}
