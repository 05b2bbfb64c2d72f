// dxc: -T cs_6_0 -E main
// Votes and ballots.
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint4> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  uint v = In[id];
  uint4 ballot = WaveActiveBallot((v & 1) != 0);
  uint flags = 0;
  flags |= WaveActiveAnyTrue(v > 200) ? 1 : 0;
  flags |= WaveActiveAllTrue(v < 250) ? 2 : 0;
  flags |= WaveActiveAllEqual(v >> 7) ? 4 : 0;
  flags |= WaveActiveAllEqual(uint2(v & 0, 3)).x ? 8 : 0;
  Out[id] = uint4(ballot.x, ballot.y, flags, WaveActiveCountBits((v & 2) != 0));
}
