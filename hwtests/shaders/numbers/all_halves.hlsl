// dxc: -T cs_6_0 -E main
// Every pattern of 16 bits as a float, and back.
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  float x = f16tof32(id | 0x12340000);
  Out[id * 2] = asuint(x);
  Out[id * 2 + 1] = f32tof16(x);
}
