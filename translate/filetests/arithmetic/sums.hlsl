// dxc: -T cs_6_0 -E main
// What LLVM makes an `or` of is a sum again, where the bits cannot meet; what was an `or` stays one.
// count: 1 OpBitwiseOr
groupshared uint tree[512];
[numthreads(64, 1, 1)]
void main(uint id : SV_GroupIndex, uint3 g : SV_GroupID) {
  tree[(g.x * (2 * id + 1)) & 511] = id | 6;
}
