// A plain store races with an atomic operation.
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint i : SV_GroupIndex, uint3 id : SV_DispatchThreadID) {
    InterlockedAdd(Out[id.x & ~63u], 1);
#ifdef DEFECT
    if (i == 1) Out[id.x & ~63u] = 7;
#else
    if (i == 1) Out[id.x | 63u] = 7;
#endif
}
