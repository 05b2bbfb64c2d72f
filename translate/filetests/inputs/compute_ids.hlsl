// dxc: -T cs_6_0 -E main
// check: OpEntryPoint GLCompute
// check: LocalSize 4 2 8
// check: BuiltIn
groupshared uint4 sink[64];
[numthreads(4, 2, 8)]
void main(uint id : SV_GroupIndex, uint3 g : SV_GroupID, uint3 t : SV_GroupThreadID, uint3 d : SV_DispatchThreadID) {
  sink[id] = uint4(id, g.x + g.y + g.z, t.x + t.y + t.z, d.x + d.y + d.z);
}
