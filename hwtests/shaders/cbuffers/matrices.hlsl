// dxc: -T cs_6_0 -E main
// Row and column major matrices of odd shapes, and a struct with a matrix array.
struct Node { column_major float3x4 world; row_major float2x3 uv; uint id; };
cbuffer Constants : register(b0) {
  row_major float4x4 rows;
  column_major float4x4 columns;
  Node nodes[3];
};
RWStructuredBuffer<float4> Out : register(u0);

[numthreads(3, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  float4 v = float4(1, 2, 3, 4);
  uint o = id * 4;
  Out[o + 0] = mul(rows, v);
  Out[o + 1] = mul(columns, v);
  Out[o + 2] = float4(mul(nodes[id].world, v), nodes[id].id);
  Out[o + 3] = float4(mul(nodes[id].uv, v.xyz), nodes[id].uv[1][id], rows[id][3]);
}
