// dxc: -T cs_6_2 -E main -enable-16bit-types
// The mode would change the arithmetic of halves, too.
//! options = numerics_radv
// not:   RoundingModeRTZ
// not:   PackHalf2x16
// check: OpFMul
StructuredBuffer<half> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);
[numthreads(64, 1, 1)]
void main(uint id : SV_GroupIndex) {
  Out[id] = f32tof16((float)(In[id] * In[id + 1]));
}
