// An atomic operation lies behind the buffer.
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint i : SV_GroupIndex, uint3 id : SV_DispatchThreadID) {
#ifdef DEFECT
    InterlockedAdd(Out[id.x + 64], 1);
#else
    InterlockedAdd(Out[id.x], 1);
#endif
}
