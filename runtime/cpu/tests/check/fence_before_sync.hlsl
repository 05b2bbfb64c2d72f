// A fence of the threads' own, before a barrier of groupshared memory, orders the UAV.
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint i : SV_GroupIndex, uint3 id : SV_DispatchThreadID) {
    Out[id.x] = i;
#ifndef DEFECT
    DeviceMemoryBarrier();
#endif
    GroupMemoryBarrierWithGroupSync();
    uint other = Out[id.x ^ 1];
    AllMemoryBarrierWithGroupSync();
    Out[id.x] = other;
}
