// dxc: -T cs_6_0 -E main
// An inclusive scan with two barriers per step and a switch of halves.
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);
groupshared uint scan[2][32];

[numthreads(32, 1, 1)]
void main(uint id : SV_DispatchThreadID, uint gi : SV_GroupIndex) {
  uint from = 0;
  scan[0][gi] = In[id];
  GroupMemoryBarrierWithGroupSync();
  [loop] for (uint step = 1; step < 32; step *= 2) {
    uint v = scan[from][gi];
    if (gi >= step) v += scan[from][gi - step];
    scan[1 - from][gi] = v;
    from = 1 - from;
    GroupMemoryBarrierWithGroupSync();
  }
  Out[id] = scan[from][gi];
}
