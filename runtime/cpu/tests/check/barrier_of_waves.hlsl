// One wave returns before the barrier.
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);
groupshared uint tile[64];

[numthreads(64, 1, 1)]
void main(uint i : SV_GroupIndex, uint3 id : SV_DispatchThreadID) {
    tile[i] = i;
#ifdef DEFECT
    if (i >= 32) return;
#else
    if (id.x >= 1000) return;
#endif
    GroupMemoryBarrierWithGroupSync();
    Out[id.x] = tile[i];
}
