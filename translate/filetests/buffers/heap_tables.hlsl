// dxc: -T cs_6_0 -E main
//! bind = t0 heap 2 0 4 1 ranges 1 1 2 0
//! bind = t1 heap 2 3 5 1 ranges 1 1 2 1
//! bind = u0 heap 2 0 6 1 addresses 1 0 4 3
// A table beside the heap says which part of a buffer a descriptor means: bytes for structured
// buffers, elements for typed ones. Another holds the addresses of counters.
// count: 1 OpDecorate $x Binding 1
// check: OpMemoryModel PhysicalStorageBuffer64
// check: OpShiftRightLogical
// check: OpULessThan
// check: OpSelect
// check: OpImageFetch
// check: OpBitcast
struct Pair { uint a, b; };
StructuredBuffer<Pair> pairs : register(t0);
Buffer<uint> texels : register(t1);
RWStructuredBuffer<uint> o : register(u0);
[numthreads(1, 1, 1)]
void main(uint i : SV_GroupID)
{
    uint count, stride;
    pairs.GetDimensions(count, stride);
    o[o.IncrementCounter()] = pairs[i].b + texels[i] + count;
}
