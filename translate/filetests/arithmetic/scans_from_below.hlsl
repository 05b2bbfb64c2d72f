// dxc: -T cs_6_0 -E main
// HLSL counts bits from below, as SPIR-V does; DXIL's operation between them counts from above.
// check: FindUMsb
// check: OpSelect
// check: $unsigned = OpExtInst $uint $set FindUMsb
// check: OpStore $first $unsigned
// check: FindSMsb
// check: OpSelect
// check: $signed = OpExtInst $uint $set FindSMsb
// check: OpStore $second $signed
RWStructuredBuffer<uint> Data : register(u0);
[numthreads(64, 1, 1)]
void main(uint id : SV_GroupIndex) {
  Data[id + 64] = firstbithigh(Data[id]);
  Data[id + 128] = firstbithigh((int)Data[id]);
}
