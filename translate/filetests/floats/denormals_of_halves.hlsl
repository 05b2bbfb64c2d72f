// dxc: -T cs_6_2 -E main -enable-16bit-types -denorm ftz
// 16-bit denormals count, whatever is asked of 32-bit ones.
// check: OpExecutionMode $main DenormPreserve 16
// check: OpExecutionMode $main SignedZeroInfNanPreserve 16
// check: OpExecutionMode $main DenormFlushToZero 32
// not:   DenormPreserve 64
RWStructuredBuffer<half> Data : register(u0);
[numthreads(64, 1, 1)]
void main(uint id : SV_GroupIndex) {
  Data[id] = Data[id] * (half)0.5;
}
