// dxc: -T cs_6_0 -E main
// A two-dimensional tile of structs is written by rows and read by columns.
struct Cell { float2 v; uint tag; };
StructuredBuffer<float2> In : register(t0);
RWStructuredBuffer<float3> Out : register(u0);
groupshared Cell tile[8][9];

[numthreads(8, 8, 1)]
void main(uint3 gt : SV_GroupThreadID, uint gi : SV_GroupIndex) {
  tile[gt.y][gt.x].v = In[gi];
  tile[gt.y][gt.x].tag = gi;
  GroupMemoryBarrierWithGroupSync();
  Cell c = tile[gt.x][gt.y];
  Out[gi] = float3(c.v, c.tag);
}
