// dxc: -T cs_6_0 -E main
// Fast math leaves the driver free.
// not: NoContraction
// not: SignedZeroInfNanPreserve
// check: OpFMul
// check: OpFAdd
// check: OpFDiv
RWStructuredBuffer<float> Data : register(u0);
[numthreads(64, 1, 1)]
void main(uint id : SV_GroupIndex) {
  float a = Data[id], b = Data[id + 1];
  Data[id + 2] = a * b + mad(a, a, b) / b;
}
