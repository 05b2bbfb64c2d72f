// dxc: -T cs_6_0 -E main
// Devices convert to 64 bits in code of the driver, of which nothing is known.
//! options = numerics_radv
// check: NClamp
// check: OpConvertFToS
// check: OpIsNan
StructuredBuffer<float> In : register(t0);
RWStructuredBuffer<int64_t> Out : register(u0);
[numthreads(64, 1, 1)]
void main(uint id : SV_GroupIndex) {
  Out[id] = (int64_t)In[id];
}
