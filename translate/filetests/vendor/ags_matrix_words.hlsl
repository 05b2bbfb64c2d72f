// dxc: -T cs_6_2 -E main
// A lane holds at most 64 words of a matrix; the encoding can name word 71.
// error: WaveMatrixFill
RWByteAddressBuffer Ags : register(u0, space2147420894);
RWByteAddressBuffer Out : register(u0);

uint ags(uint opcode, uint phase, uint immediate, uint a, uint b) {
  uint result;
  Ags.InterlockedCompareExchange(0x50000000 | phase << 24 | immediate << 8 | opcode, a, b, result);
  return result;
}

[numthreads(32, 1, 1)]
void main() {
  ags(0x33, 0, 6 | 2 << 4, 1, 0);
  Out.Store(0, ags(0x33, 1, 11 | 15 << 4, 0, 0));
}
