// The slot of the heap differs within a wave and is not marked.
// dxc -T cs_6_6
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint i : SV_GroupIndex, uint3 id : SV_DispatchThreadID) {
#ifdef DEFECT
    StructuredBuffer<uint> buffer = ResourceDescriptorHeap[i & 1];
#else
    StructuredBuffer<uint> buffer = ResourceDescriptorHeap[NonUniformResourceIndex(i & 1)];
#endif
    Out[id.x] = buffer[i];
}
