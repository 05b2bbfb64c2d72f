// dxc: -T cs_6_2 -enable-16bit-types -E main
// Wave matrices of 8-bit floats by AGS: multiplied, and converted from and to other formats.
#include "ags_matrices.hlsli"

Matrix multiply8(uint opcode, Matrix a, Matrix b, Matrix c) {
  Matrix m;
  GIVE(Multiply, 0, 1, a);
  GIVE(Multiply, 0, 2, b);
  GIVE(Multiply, 0, 3, c);
  ags(Multiply, 1, opcode, 0, 0);
  TAKE(Multiply, 2, m);
  return m;
}

Matrix saturated(uint from, uint to, Matrix given) {
  Matrix m;
  GIVE(Convert, 0, 0, given);
  ags(Convert, 1, from, to, 1);
  TAKE(Convert, 2, m);
  return m;
}

[numthreads(16, 1, 1)]
void main(uint id : SV_GroupIndex) {
  Matrix a = load(Fp8 | A, 0, 16), b = load(Fp8 | B | ColumnMajor, 256, 16), b5 = load(Bf8 | B, 512, 16);
  Matrix c = load(F32 | C, 768, 64);
  store(F32 | C, 0, 64, multiply8(7, a, b, c));
  store(F32 | C, 1024, 64, multiply8(6, a, b5, c));
  // To and from other formats.
  Matrix wide = load(Fp8 | C, 0, 16);
  store(F16 | C, 2048, 32, convert(Fp8 | C, F16 | C, wide));
  store(F32 | C, 2560, 64, convert(Fp8 | C, F32 | C, wide));
  store(Fp8 | C, 3584, 16, convert(F32 | C, Fp8 | C, c));
  store(Bf8 | C, 3840, 16, saturated(F32 | C, Bf8 | C, c));
  store(Bf8 | C, 4096, 16, convert(F16 | C, Bf8 | C, convert(Fp8 | C, F16 | C, wide)));
  // Elements, four at a time: two steps of negation leave what there was.
  uint length = ags(Length, 0, Fp8 | C, 0, 0);
  for (uint n = 0; n < length; n++) {
    GIVE(Extract, 0, 0, wide);
    uint four = ags(Extract, 1, Fp8 | C, n, 0);
    GIVE(Insert, 0, 0, wide);
    ags(Insert, 1, Fp8 | C, n, four ^ 0x80808080);
    TAKE(Insert, 2, wide);
  }
  store(Fp8 | C, 4352, 16, wide);
}
