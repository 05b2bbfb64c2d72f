// dxc: -T ps_6_0 -E main
//! targets = vulkan1.3
// The first lane that is no helper is looked for once in a block, and again where lanes may have become helpers.
// count: 2 OpGroupNonUniformBallotFindLSB
// count: 7 OpGroupNonUniformShuffle
float4 main(float4 color : COLOR, nointerpolation uint4 index : INDEX) : SV_Target {
  float4 v = WaveReadLaneFirst(color);
  uint2 i = WaveReadLaneFirst(index.xy);
  if (i.x == 3)
    discard;
  return v * i.y + WaveReadLaneFirst(index.z);
}
