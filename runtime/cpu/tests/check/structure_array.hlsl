// An index behind an array in a structure reaches the next structure.
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);
struct Item { uint parts[4]; };
StructuredBuffer<Item> Items : register(t4);

[numthreads(64, 1, 1)]
void main(uint i : SV_GroupIndex, uint3 id : SV_DispatchThreadID) {
#ifdef DEFECT
    Out[id.x] = Items[i].parts[In[i] + 1];
#else
    Out[id.x] = Items[i].parts[In[i]];
#endif
}
