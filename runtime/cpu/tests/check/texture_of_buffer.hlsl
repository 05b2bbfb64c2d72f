// The shader declares a texture, the view is of a buffer.
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);
#ifdef DEFECT
Texture2D<float> Image : register(t4);
#else
StructuredBuffer<uint> Image : register(t4);
#endif

[numthreads(64, 1, 1)]
void main(uint i : SV_GroupIndex, uint3 id : SV_DispatchThreadID) {
#ifdef DEFECT
    Out[id.x] = Image.Load(int3(i & 7, i / 8, 0));
#else
    Out[id.x] = In[i];
#endif
}
