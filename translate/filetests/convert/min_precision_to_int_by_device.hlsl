// dxc: -T cs_6_0 -E main
// Nothing says where the range of a min-precision integer ends, so nothing clamps to it.
//! options = numerics_radv native_min_precision unchecked_group_memory
// not:   SClamp
// not:   UMin
// not:   NClamp
// check: OpConvertFToS
// check: OpConvertFToU
groupshared min16float sink[64];
groupshared min16int more[64];
groupshared min16uint rest[64];
[numthreads(64, 1, 1)]
void main(uint id : SV_GroupIndex, uint3 g : SV_GroupID) {
  min16float a = sink[id ^ g.x];
  more[id] = (min16int)a;
  rest[id] = (min16uint)(a * (min16float)2);
}
