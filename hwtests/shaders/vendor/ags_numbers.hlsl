// dxc: -T cs_6_0 -E main
// Minimum, median and maximum of three, and halves rounded to nearest, down and up, by AGS.
RWByteAddressBuffer Ags : register(u0, space2147420894);
StructuredBuffer<uint3> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

uint ags(uint opcode, uint phase, uint immediate, uint a, uint b) {
  uint result;
  Ags.InterlockedCompareExchange(0x50000000 | phase << 24 | immediate << 8 | opcode, a, b, result);
  return result;
}

uint of_three(uint opcode, uint3 x) {
  uint first = ags(opcode, 0, 0, x.x, x.y);
  return ags(opcode, 1, 0, x.z, first);
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  uint3 x = In[id];
  for (uint opcode = 0; opcode < 1; ++opcode) {
    Out[id * 9 + 0] = of_three(0x07, x);
    Out[id * 9 + 1] = of_three(0x08, x);
    Out[id * 9 + 2] = of_three(0x09, x);
    Out[id * 9 + 3] = of_three(0x0a, x);
    Out[id * 9 + 4] = of_three(0x0b, x);
    Out[id * 9 + 5] = of_three(0x0c, x);
  }
  Out[id * 9 + 6] = ags(0x1c, 0, 1, x.x, 0);
  Out[id * 9 + 7] = ags(0x1c, 0, 2, x.x, 0);
  Out[id * 9 + 8] = ags(0x1c, 0, 3, x.x, 0);
}
