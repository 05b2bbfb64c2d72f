// The shader declares integers, the texture has floats.
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);
#ifdef DEFECT
Texture2D<uint> Image : register(t1);
#else
Texture2D<float> Image : register(t1);
#endif

[numthreads(64, 1, 1)]
void main(uint i : SV_GroupIndex, uint3 id : SV_DispatchThreadID) {
    Out[id.x] = Image.Load(int3(i & 7, i / 8, 0));
}
