// dxc: -T cs_6_0 -E main
// What instrumentation watches: floats that are no numbers, and indices beyond arrays, each in a thread of its own.
cbuffer Constants : register(b0) { uint localAt; uint sharedAt; uint tableAt; }
StructuredBuffer<float> In : register(t0);
RWByteAddressBuffer Out : register(u0);

groupshared uint Shared[8];
static const uint Table[5] = { 11, 22, 33, 44, 55 };

[numthreads(16, 1, 1)]
void main(uint i : SV_GroupIndex) {
  uint a = i == 3 ? localAt : 0;
  uint b = i == 4 ? sharedAt : 0;
  uint c = i == 6 ? tableAt : 0;
  uint local[4] = { 1, 2, 3, 4 };
  local[a] = 100 + i;
  if (i < 8) Shared[i] = 7;
  GroupMemoryBarrierWithGroupSync();
  uint before;
  InterlockedAdd(Shared[b], 1, before);
  GroupMemoryBarrierWithGroupSync();
  uint sum = local[i & 3] + local[a];
  float root = sqrt(In[i]);
  Out.Store4(i * 32, uint4(asuint(root), root > 2 ? 1 : 0, sum, Table[c]));
  Out.Store3(i * 32 + 16, uint3(before, Shared[b], Shared[i & 7]));
}
