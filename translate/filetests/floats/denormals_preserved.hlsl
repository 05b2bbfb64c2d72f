// dxc: -T cs_6_2 -E main -denorm preserve
// The function's attribute becomes an execution mode.
// check: OpCapability DenormPreserve
// check: OpExecutionMode $main DenormPreserve 32
// check: OpExecutionMode $main SignedZeroInfNanPreserve 32
// not:   DenormFlushToZero
RWStructuredBuffer<float> Data : register(u0);
[numthreads(64, 1, 1)]
void main(uint id : SV_GroupIndex) {
  Data[id] = Data[id] * 0.5;
}
