// The barrier orders groupshared memory and not the UAV.
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint i : SV_GroupIndex, uint3 id : SV_DispatchThreadID) {
    Out[id.x] = i;
#ifdef DEFECT
    GroupMemoryBarrierWithGroupSync();
#else
    AllMemoryBarrierWithGroupSync();
#endif
    uint other = Out[id.x ^ 1];
    AllMemoryBarrierWithGroupSync();
    Out[id.x] = other;
}
