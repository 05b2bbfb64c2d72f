// A thread writes once more after its fence.
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint i : SV_GroupIndex, uint3 id : SV_DispatchThreadID) {
#ifdef DEFECT
    DeviceMemoryBarrier();
    Out[id.x] = i;
#else
    Out[id.x] = i;
    DeviceMemoryBarrier();
#endif
    GroupMemoryBarrierWithGroupSync();
    uint other = Out[id.x ^ 1];
    AllMemoryBarrierWithGroupSync();
    Out[id.x] = other;
}
