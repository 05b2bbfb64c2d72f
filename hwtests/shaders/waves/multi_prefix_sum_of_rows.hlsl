// dxc: -T cs_6_5 -E main
// WaveMultiPrefixSum is all that looks at lanes here. Which thread of the 8 by 8 is which lane is not said, so the
// numbers of lanes are counted, and so are the threads.
RWStructuredBuffer<uint> Lanes : register(u0);

[numthreads(8, 8, 1)]
void main(uint2 id : SV_GroupThreadID)
{
  uint lane = WaveMultiPrefixSum(1u, uint4(~0u, ~0u, ~0u, ~0u));
  InterlockedAdd(Lanes[lane], 1);
  InterlockedAdd(Lanes[128 + id.y * 8 + id.x], 1);
}
