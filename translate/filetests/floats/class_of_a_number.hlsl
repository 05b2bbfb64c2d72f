// dxc: -T cs_6_2 -E main -denorm any
// A shader that asks for NaN or infinities gets those that arithmetic makes.
// check: OpExecutionMode $main SignedZeroInfNanPreserve 32
// check: OpIsInf
RWStructuredBuffer<float> Data : register(u0);
[numthreads(64, 1, 1)]
void main(uint id : SV_GroupIndex) {
  Data[id] = isinf(Data[id] * 2) ? 1 : 2;
}
