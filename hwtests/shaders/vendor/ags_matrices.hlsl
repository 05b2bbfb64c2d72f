// dxc: -T cs_6_2 -enable-16bit-types -E main
// Wave matrices of 16 by 16 elements by AGS: a lane has at most 32 words of one, in waves of 8 lanes or more.
#include "ags_matrices.hlsli"

[numthreads(16, 1, 1)]
void main(uint id : SV_GroupIndex) {
  Matrix a = load(F16 | A, 0, 32), transposed = load(F16 | A | ColumnMajor, 0, 32);
  Matrix b = load(F16 | B, 512, 32);
  Matrix c = load(F32 | C, 1024, 64);
  Matrix product = multiply(a, b, c);
  store(F32 | C, 0, 64, product);
  store(F32 | C | ColumnMajor, 1024, 64, multiply(transposed, b, c));
  Matrix narrow = convert(F32 | C, F16 | C, product);
  store(F16 | C, 2048, 32, narrow);
  store(F32 | C, 4608, 64, elementwise(2, F32 | C, product, c));
  store(F32 | C, 5632, 64, elementwise(3, F32 | C, product, c));
  // As the left side of another product, in a loop.
  Matrix sum = fill(F32 | C, asuint(2.0f));
  Matrix left = convert(F16 | C, F16 | A, narrow);
  [loop] for (uint i = 0; i < In.Load(2048); i++)
    sum = multiply(left, b, sum);
  store(F32 | C, 2560, 64, sum);
  // Each element of a lane, one after the other.
  uint length = ags(Length, 0, F32 | C, 0, 0);
  [loop] for (uint n = 0; n < length; n++) {
    GIVE(Extract, 0, 0, c);
    float element = asfloat(ags(Extract, 1, F32 | C, n, 0));
    GIVE(Insert, 0, 0, c);
    ags(Insert, 1, F32 | C, n, asuint(element + 1.0f));
    TAKE(Insert, 2, c);
  }
  store(F32 | C, 3584, 64, c);
}
