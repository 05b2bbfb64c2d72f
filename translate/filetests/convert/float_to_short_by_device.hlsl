// dxc: -T cs_6_2 -E main -enable-16bit-types
// A device clamps to 32 bits; the rest is left to do.
//! options = numerics_radv
// not:   NClamp
// not:   OpIsNan
// check: $u = OpConvertFToU
// check: UMin $u
// check: $s = OpConvertFToS
// check: SClamp $s
StructuredBuffer<float> In : register(t0);
RWStructuredBuffer<uint16_t> U : register(u0);
RWStructuredBuffer<int16_t> S : register(u1);
[numthreads(64, 1, 1)]
void main(uint id : SV_GroupIndex) {
  U[id] = (uint16_t)In[id];
  S[id] = (int16_t)In[id];
}
