// dxc: -T cs_6_0 -E main
// Lanes that took different paths meet again before they exchange values.
// check: OpExecutionMode $main MaximallyReconvergesKHR
// check: OpSelectionMerge
// check: OpGroupNonUniformIAdd
RWStructuredBuffer<uint> Data : register(u0);
[numthreads(64, 1, 1)]
void main(uint id : SV_GroupIndex) {
  uint v = Data[id];
  [branch] if (v & 1) Data[id + 64] = v;
  Data[id] = WaveActiveSum(v);
}
