// dxc: -T cs_6_0 -E main
// Dispatch, group, thread-in-group ids and the flattened index in three dimensions.
RWStructuredBuffer<uint4> Out : register(u0);

[numthreads(4, 3, 2)]
void main(uint3 id : SV_DispatchThreadID, uint3 gid : SV_GroupID, uint3 gt : SV_GroupThreadID, uint gi : SV_GroupIndex) {
  uint3 size = uint3(8, 9, 4);
  uint flat = (id.z * size.y + id.y) * size.x + id.x;
  Out[flat] = uint4(id.x | id.y << 8 | id.z << 16, gid.x | gid.y << 8 | gid.z << 16, gt.x | gt.y << 8 | gt.z << 16, gi);
}
