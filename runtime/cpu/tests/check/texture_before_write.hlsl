// A texture is read that the dispatch was to write first.
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);
RWTexture2D<float> Image : register(u1);

[numthreads(64, 1, 1)]
void main(uint i : SV_GroupIndex, uint3 id : SV_DispatchThreadID) {
    uint2 at = uint2(i & 7, i / 8);
#ifdef DEFECT
    float before = Image[at];
#else
    float before = In[i];
#endif
    Image[at] = before + 1;
}
