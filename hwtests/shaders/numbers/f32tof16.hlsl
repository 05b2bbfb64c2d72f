// dxc: -T cs_6_0 -E main
// f32tof16, which rounds toward zero, and the way back.
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  uint half_bits = f32tof16(asfloat(In[id]));
  Out[id * 2] = half_bits;
  Out[id * 2 + 1] = asuint(f16tof32(half_bits));
}
