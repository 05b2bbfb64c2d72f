// dxc: -T cs_6_6 -E main
// 64-bit atomics on groupshared memory.
StructuredBuffer<uint64_t> In : register(t0);
RWStructuredBuffer<uint64_t> Out : register(u0);
groupshared uint64_t sum;
groupshared int64_t low;

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  if (id == 0) {
    sum = 0;
    low = 0;
  }
  GroupMemoryBarrierWithGroupSync();
  InterlockedAdd(sum, In[id]);
  InterlockedMin(low, (int64_t)In[id]);
  GroupMemoryBarrierWithGroupSync();
  if (id == 0) {
    Out[0] = sum;
    Out[1] = (uint64_t)low;
  }
}
