// dxc: -T cs_6_2 -E main -enable-16bit-types
// A conversion to fewer bits is not combined with the way back; that one is exact.
// count: 2 NoContraction
// check: OpDecorate $half NoContraction
// check: OpDecorate $float NoContraction
// check: $half = OpFConvert
// check: $float = OpFConvert
RWStructuredBuffer<float> Data : register(u0);
RWStructuredBuffer<double> Wide : register(u1);
[numthreads(64, 1, 1)]
void main(uint id : SV_GroupIndex) {
  Data[id] = (float)(half)Data[id];
  Wide[id] = (double)(float)Wide[id];
}
