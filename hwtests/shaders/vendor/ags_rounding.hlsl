// dxc: -T cs_6_0 -E main
// Sums, differences and products rounded to nearest, up, down and to zero, by AGS; a marker for tools has no effect.
RWByteAddressBuffer Ags : register(u0, space2147420894);
StructuredBuffer<uint2> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

uint ags(uint opcode, uint immediate, uint a, uint b) {
  uint result;
  Ags.InterlockedCompareExchange(0x50000000 | immediate << 8 | opcode, a, b, result);
  return result;
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  uint2 x = In[id];
  ags(0x25, 0, id, 0);
  [unroll] for (uint operation = 0; operation < 3; ++operation)
    [unroll] for (uint mode = 0; mode < 4; ++mode)
      Out[id * 12 + operation * 4 + mode] = ags(0x26, operation << 4 | mode, x.x, x.y);
}
