// dxc: -T cs_6_0 -E main
// f32tof16 of numbers that a half holds exactly, and back.
StructuredBuffer<float> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  uint packed = f32tof16(In[id]);
  Out[id * 2] = packed;
  Out[id * 2 + 1] = asuint(f16tof32(packed | 0x3c000000u));
}
