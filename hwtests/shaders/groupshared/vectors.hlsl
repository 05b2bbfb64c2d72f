// dxc: -T cs_6_0 -E main
// Arrays of vectors of two, three and four components, written and read whole and in parts, with stores
// between the loads of one vector.
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);
groupshared uint2 pairs[2][64];
groupshared uint3 triples[64];
groupshared float4 rows[65];

[numthreads(64, 1, 1)]
void main(uint gi : SV_GroupIndex) {
  uint x = In[gi];
  uint side = x & 1;
  pairs[side][gi] = uint2(x, x + 1);
  pairs[side ^ 1][gi] = uint2(x + 2, x + 3);
  triples[gi] = uint3(x, x * 3, x * 5);
  rows[gi + 1] = float4(x, x + 1, x + 2, x + 3);
  if (gi == 0) rows[0] = float4(7, 8, 9, 10);
  GroupMemoryBarrierWithGroupSync();

  uint other = 63 - gi;
  uint2 pair = pairs[x & 1][other];
  uint3 triple = triples[other];
  float4 row = rows[other];
  // One's own vector: a load, a store of a component, and a load that has to see it.
  GroupMemoryBarrierWithGroupSync();
  float4 before = rows[gi];
  rows[gi].z = before.x + before.y;
  float4 after = rows[gi];
  triples[gi].y = triple.x;
  GroupMemoryBarrierWithGroupSync();
  // Two lanes write different components of one vector.
  uint half_way = gi >> 1;
  if (gi & 1) rows[half_way].w = 100 + gi; else rows[half_way].x = 200 + gi;
  GroupMemoryBarrierWithGroupSync();

  Out[gi * 8 + 0] = pair.x * 1000 + pair.y;
  Out[gi * 8 + 1] = triple.x + triple.y * 100 + triple.z * 10000;
  Out[gi * 8 + 2] = (uint)(row.x + row.y * 10 + row.z * 100 + row.w * 1000);
  Out[gi * 8 + 3] = (uint)(after.x + after.y * 10 + after.z * 100 + after.w * 1000);
  Out[gi * 8 + 4] = triples[other].y;
  Out[gi * 8 + 5] = (uint)(rows[other].x + rows[other].y + rows[other].z + rows[other].w);
  Out[gi * 8 + 6] = (uint)rows[3].w;
  Out[gi * 8 + 7] = rows[gi].x < 200 ? 1 : 0;
}
