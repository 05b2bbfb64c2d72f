// The shader declares integers, the typed buffer has floats.
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);
#ifdef DEFECT
Buffer<uint> Values : register(t2);
#else
Buffer<float> Values : register(t2);
#endif

[numthreads(64, 1, 1)]
void main(uint i : SV_GroupIndex, uint3 id : SV_DispatchThreadID) {
    Out[id.x] = Values[i];
}
