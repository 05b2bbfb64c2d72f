// dxc: -T cs_6_0 -E main
// 64-bit denormals count.
// check: OpExecutionMode $main DenormPreserve 64
// not:   SignedZeroInfNanPreserve
// not:   DenormPreserve 16
RWStructuredBuffer<double> Data : register(u0);
[numthreads(64, 1, 1)]
void main(uint id : SV_GroupIndex) {
  Data[id] = Data[id] * 0.5;
}
