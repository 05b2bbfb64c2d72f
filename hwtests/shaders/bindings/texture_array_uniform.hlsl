// dxc: -T cs_6_0 -E main
// An array of textures, indexed by the group.
Texture2D<uint> T[4] : register(t3);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(4, 1, 1)]
void main(uint gid : SV_GroupID, uint gi : SV_GroupIndex) {
  Out[gid * 4 + gi] = T[gid].Load(int3(gi & 1, gi >> 1, 0));
}
