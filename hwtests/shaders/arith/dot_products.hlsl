// dxc: -T cs_6_0 -E main
// Dot products of two, three and four components, and what is built on them.
StructuredBuffer<float4> In : register(t0);
RWStructuredBuffer<float> Out : register(u0);

[numthreads(32, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  float4 a = In[id * 2], b = In[id * 2 + 1];
  uint o = id * 9;
  Out[o + 0] = dot(a.xy, b.xy);
  Out[o + 1] = dot(a.xyz, b.xyz);
  Out[o + 2] = dot(a, b);
  float3 c = cross(a.xyz, b.xyz);
  Out[o + 3] = c.x;
  Out[o + 4] = c.y;
  Out[o + 5] = c.z;
  Out[o + 6] = length(a.xyz);
  Out[o + 7] = distance(a.xy, b.xy);
  Out[o + 8] = reflect(a.xyz, float3(0, 1, 0)).y;
}
