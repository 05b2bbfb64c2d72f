// The last thread reads behind the end of a buffer of 256 elements.
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
#ifdef DEFECT
  Out[id] = In[id + 1];
#else
  Out[id] = In[min(id + 1, 255)];
#endif
}
