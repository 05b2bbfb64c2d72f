// dxc: -T cs_6_0 -E main
// Atomic additions to a buffer: to one counter, or to one for each thread.
cbuffer Parameters : register(b0) {
    uint rounds;
    uint mask;
};
RWStructuredBuffer<uint> counters : register(u0);

[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
    for (uint i = 0; i < rounds; ++i)
        InterlockedAdd(counters[id.x & mask], 1);
}
