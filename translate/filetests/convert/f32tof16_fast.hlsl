// dxc: -T cs_6_0 -E main
// By option a half is made by the driver.
//! options = fast_half_packing
// check: PackHalf2x16
// not:   OpConvertFToU
RWStructuredBuffer<float> In : register(u0);
RWStructuredBuffer<uint> Out : register(u1);
[numthreads(64, 1, 1)]
void main(uint id : SV_GroupIndex) {
  Out[id] = f32tof16(In[id]);
}
