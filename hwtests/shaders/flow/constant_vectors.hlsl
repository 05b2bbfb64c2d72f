// dxc: -T cs_6_0 -E main
// Constant arrays of vectors of two, three and four floats, indexed by the thread: whole vectors, single
// components, a neighbour's, and one that a loop walks through.
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<float> Out : register(u0);

static const float2 pairs[6] = {
  float2(1, 10), float2(2, 20), float2(3, 30), float2(4, 40), float2(5, 50), float2(6, 60)
};
static const float3 triples[4] = {
  float3(0.5, 1.5, 2.5), float3(3.5, 4.5, 5.5), float3(6.5, 7.5, 8.5), float3(9.5, 10.5, 11.5)
};
static const float4 rows[5] = {
  float4(100, 101, 102, 103), float4(200, 201, 202, 203), float4(300, 301, 302, 303),
  float4(400, 401, 402, 403), float4(500, 501, 502, 503)
};
static const float2 taps[4] = { float2(1, 2), float2(3, 5), float2(7, 11), float2(13, 17) };

[numthreads(16, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  uint i = In[id];
  float2 pair = pairs[i % 6];
  float3 triple = triples[i & 3];
  float4 row = rows[(i & 3) + 1];
  Out[id * 6 + 0] = pair.x + pair.y * 0.5;
  Out[id * 6 + 1] = triple.x * 4 + triple.y * 2 + triple.z;
  Out[id * 6 + 2] = row.x + row.y * 2 + row.z * 4 + row.w * 8;
  Out[id * 6 + 3] = rows[i & 3].z;
  Out[id * 6 + 4] = triples[3 - (i & 3)].y + pairs[5].x;
  float sum = 0;
  [loop] for (uint k = 0; k <= (i & 3); ++k) sum += taps[k].x * taps[k].y;
  Out[id * 6 + 5] = sum;
}
