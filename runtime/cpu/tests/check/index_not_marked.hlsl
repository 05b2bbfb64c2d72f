// The index of a resource differs within a wave and is not marked.
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);
StructuredBuffer<uint> Buffers[4] : register(t0, space1);

[numthreads(64, 1, 1)]
void main(uint i : SV_GroupIndex, uint3 id : SV_DispatchThreadID) {
#ifdef DEFECT
    Out[id.x] = Buffers[i & 1][i];
#else
    Out[id.x] = Buffers[NonUniformResourceIndex(i & 1)][i];
#endif
}
