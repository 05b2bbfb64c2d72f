// dxc: -T cs_6_0 -E main
// Matrix times vector, vector times matrix, matrix times matrix, transpose and determinant.
StructuredBuffer<float4> In : register(t0);
RWStructuredBuffer<float4> Out : register(u0);

[numthreads(8, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  uint base = id * 5;
  float4x4 m = float4x4(In[base], In[base + 1], In[base + 2], In[base + 3]);
  float4 v = In[base + 4];
  uint o = id * 7;
  Out[o + 0] = mul(m, v);
  Out[o + 1] = mul(v, m);
  float4x4 square = mul(m, transpose(m));
  Out[o + 2] = square[0];
  Out[o + 3] = square[1];
  Out[o + 4] = square[2];
  Out[o + 5] = square[3];
  Out[o + 6] = float4(determinant((float3x3)m), determinant((float2x2)m), m[1][2], m[3][0]);
}
