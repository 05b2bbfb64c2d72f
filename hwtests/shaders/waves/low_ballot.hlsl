// dxc: -T cs_6_0 -E main
// Looks at the lowest word of a ballot alone, which has all lanes only where there are at most 32.
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  Out[id] = WaveActiveBallot((In[id] & 1) != 0).x;
}
