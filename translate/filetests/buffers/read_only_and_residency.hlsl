// dxc: -T cs_6_0 -E main
// A buffer is always resident.
// check: NonWritable
// not: OpImageSparseTexelsResident
StructuredBuffer<uint> s : register(t0);
RWStructuredBuffer<uint> o : register(u0);
[numthreads(1, 1, 1)]
void main(uint i : SV_GroupID) { uint status; uint v = s.Load(i, status); o[i] = v + (CheckAccessFullyMapped(status) ? 1 : 0); }
