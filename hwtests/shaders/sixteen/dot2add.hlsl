// dxc: -T cs_6_4 -E main -enable-16bit-types
// A dot product of halves accumulates into a float.
StructuredBuffer<half4> In : register(t0);
RWStructuredBuffer<float> Out : register(u0);

[numthreads(32, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  Out[id] = dot2add(In[id].xy, In[id].zw, float(id));
}
