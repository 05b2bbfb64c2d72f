// dxc: -T cs_6_0 -E main
// Sums of products and one more addend.
StructuredBuffer<float4> Points : register(t0);
StructuredBuffer<float4> Rows : register(t1);
struct Sums {
  float4 position;
  float4 planes;
};
RWStructuredBuffer<Sums> Out : register(u0);
[numthreads(64, 1, 1)]
void main(uint id : SV_GroupIndex) {
  float4 p = Points[id];
  float4x4 m = float4x4(Rows[0], Rows[1], Rows[2], Rows[3]);
  float4 plane = Rows[id & 3];
  float3 other = Rows[(id + 1) & 3].xyz;
  float several = dot(Rows[(id + 2) & 3].xyz, p.xyz);
  Sums sums;
  sums.position = mul(m, float4(p.xyz, 1));
  sums.planes.x = dot(plane.xyz, p.xyz) + plane.w;
  // The addend is loaded after the product.
  float product = dot(other, p.xyz);
  sums.planes.y = product - Points[uint(abs(several)) & 63].w;
  sums.planes.z = p.w - several;
  sums.planes.w = several * (several + p.w);
  Out[id] = sums;
}
