// A typed buffer sees a view without a format.
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);
#ifdef DEFECT
Buffer<float> Values : register(t4);
#else
Buffer<float> Values : register(t2);
#endif

[numthreads(64, 1, 1)]
void main(uint i : SV_GroupIndex, uint3 id : SV_DispatchThreadID) {
    Out[id.x] = Values[i];
}
