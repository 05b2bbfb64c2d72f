// A mip is read that the texture does not have.
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);
Texture2D<float> Image : register(t1);

[numthreads(64, 1, 1)]
void main(uint i : SV_GroupIndex, uint3 id : SV_DispatchThreadID) {
#ifdef DEFECT
    Out[id.x] = Image.Load(int3(i & 7, i / 8, 3));
#else
    Out[id.x] = Image.Load(int3(i & 7, i / 8, 0));
#endif
}
