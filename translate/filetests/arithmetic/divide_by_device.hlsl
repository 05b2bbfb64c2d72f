// dxc: -T cs_6_0 -E main
// Where a division by zero gives some number, one selection replaces it by D3D's.
//! options = numerics_radv
// check: $quotient = OpUDiv
// check: OpSelect $uint $zero $ones $quotient
// check: $signed = OpSDiv
// check: OpSelect $uint $none $ones $signed
// count: 2 OpSelect
StructuredBuffer<uint2> In : register(t0);
RWStructuredBuffer<uint2> Out : register(u0);
[numthreads(64, 1, 1)]
void main(uint id : SV_GroupIndex) {
  uint2 v = In[id];
  Out[id] = uint2(v.x / v.y, (uint)((int)v.x / (int)v.y));
}
