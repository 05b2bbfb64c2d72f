// dxc: -T cs_6_2 -E main
// A shader that asks for NaN gets the NaN that arithmetic makes.
//! without = SIGNED_ZERO_INF_NAN_F32
// check: OpCapability FloatControls2
// check: OpExecutionModeId $main FPFastMathDefault
RWStructuredBuffer<float> Data : register(u0);
[numthreads(64, 1, 1)]
void main(uint id : SV_GroupIndex) {
  Data[id] = isnan(Data[id] * 2) ? 1 : 2;
}
