// dxc: -T cs_6_2 -E main -denorm any
// 32-bit denormals that may be either are left to the device.
// not:   DenormPreserve
// not:   DenormFlushToZero
// not:   SignedZeroInfNanPreserve
RWStructuredBuffer<float> Data : register(u0);
[numthreads(64, 1, 1)]
void main(uint id : SV_GroupIndex) {
  Data[id] = Data[id] * 0.5;
}
