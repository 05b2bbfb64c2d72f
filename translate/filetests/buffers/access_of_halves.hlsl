// dxc: -T cs_6_2 -E main -enable-16bit-types
//! without = STORAGE_16BIT
// Halves are written into words that are read for it.
// not: NonReadable
RWStructuredBuffer<half> written : register(u0);
[numthreads(64, 1, 1)]
void main(uint id : SV_GroupIndex) { written[id] = id; }
