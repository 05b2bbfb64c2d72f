// dxc: -T cs_6_2 -E main
// SPIR-V has no arithmetic on matrices of 8-bit floats.
// error: MatrixElementWiseArithmetic
RWByteAddressBuffer Ags : register(u0, space2147420894);
RWByteAddressBuffer Out : register(u0);

uint ags(uint opcode, uint phase, uint immediate, uint a, uint b) {
  uint result;
  Ags.InterlockedCompareExchange(0x50000000 | phase << 24 | immediate << 8 | opcode, a, b, result);
  return result;
}

[numthreads(32, 1, 1)]
void main() {
  const uint fp8 = 10 | 2 << 4;
  ags(0x35, 0, 1 << 8, 1, 2);
  ags(0x35, 0, 2 << 8, 3, 4);
  ags(0x35, 1, fp8, 1, 0);
  Out.Store(0, ags(0x35, 2, 0, 0, 0));
}
