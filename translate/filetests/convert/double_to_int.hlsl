// dxc: -T cs_6_0 -E main
// NVIDIA's conversion of a double that is NaN does not give 0 (PTX ISA, cvt).
//! options = numerics_nvidia
// check: NClamp
// check: OpConvertFToS
// check: OpIsNan
RWStructuredBuffer<double> In : register(u0);
RWStructuredBuffer<int> Out : register(u1);
[numthreads(64, 1, 1)]
void main(uint id : SV_GroupIndex) {
  Out[id] = (int)In[id];
}
