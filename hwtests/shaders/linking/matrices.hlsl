// dxc: -T lib_6_3
// An array of matrices and a matrix are inout parameters of functions in another library.
RWStructuredBuffer<float> Result : register(u0);
float picked(float4x3 from[2], uint which, uint row);
void grow(inout float2x2 m, float by);

[shader("compute")]
[numthreads(16, 1, 1)]
void main(uint id : SV_GroupIndex) {
  float4x3 both[2];
  for (uint i = 0; i < 12; i++) {
    both[0][i / 3][i % 3] = i + id;
    both[1][i / 3][i % 3] = i * id;
  }
  float2x2 m = { id, 1, 2, 3 };
  grow(m, id);
  Result[id * 2] = picked(both, id % 2, id / 2 % 4);
  Result[id * 2 + 1] = m[0][0] + m[0][1] * 10 + m[1][0] * 100 + m[1][1] * 1000;
}
