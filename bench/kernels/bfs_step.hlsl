// dxc: -T cs_6_0 -E main
// One level of a breadth-first search: the neighbours of the frontier that nobody reached yet.
cbuffer Parameters : register(b0) {
    uint vertices;
    uint level;
};
StructuredBuffer<uint> first_edge : register(t0);
StructuredBuffer<uint> edges : register(t1);
StructuredBuffer<uint> depth : register(t2);
RWStructuredBuffer<uint> next_depth : register(u0);

[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
    if (id.x >= vertices || depth[id.x] != level)
        return;
    uint end = first_edge[id.x + 1];
    for (uint edge = first_edge[id.x]; edge < end; ++edge)
        InterlockedMin(next_depth[edges[edge]], level + 1);
}
