// dxc: -T cs_6_0 -E main
RWStructuredBuffer<float4> Out : register(u0);
cbuffer Rows : register(b0) { float4 Rows[6]; };

[numthreads(8, 1, 1)]
void main(uint i : SV_GroupIndex) {
  Out[i] = Rows[i];
}
