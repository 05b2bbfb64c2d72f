// A typed buffer is read behind its end.
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);
Buffer<float> Values : register(t2);

[numthreads(64, 1, 1)]
void main(uint i : SV_GroupIndex, uint3 id : SV_DispatchThreadID) {
#ifdef DEFECT
    Out[id.x] = Values[id.x + 1];
#else
    Out[id.x] = Values[id.x];
#endif
}
