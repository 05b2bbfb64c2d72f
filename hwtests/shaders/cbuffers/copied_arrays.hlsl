// dxc: -T cs_6_0 -E main
// Local arrays that are copies of parts of a constant buffer, and some that are not.
cbuffer C : register(b0) {
  float4 rows[6];
  uint4 words[4];
  float4x4 matrices[3];
};
RWStructuredBuffer<float> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  float4 copy[6], changed[6], reversed[6];
  uint4 numbers[4];
  float4x4 transforms[3];
  [unroll] for (uint i = 0; i < 6; i++) copy[i] = changed[i] = reversed[5 - i] = rows[i];
  [unroll] for (uint k = 0; k < 4; k++) numbers[k] = words[k];
  [unroll] for (uint m = 0; m < 3; m++) transforms[m] = matrices[m];
  // Written once more after the copy.
  changed[id % 5] += 1000;
  float sum = copy[id % 6].y + numbers[id & 3].z;
  sum += dot(transforms[id % 3][1], float4(1, 2, 4, 8));
  if (id & 1) sum += changed[(id >> 1) % 6].x + reversed[id % 6].w;
  Out[id] = sum;
}
