// A plain load races with an atomic operation.
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);
groupshared uint total;

[numthreads(64, 1, 1)]
void main(uint i : SV_GroupIndex, uint3 id : SV_DispatchThreadID) {
    if (i == 0) total = 0;
    GroupMemoryBarrierWithGroupSync();
    InterlockedAdd(total, i);
#ifdef DEFECT

#else
    GroupMemoryBarrierWithGroupSync();
#endif
    Out[id.x] = total;
}
