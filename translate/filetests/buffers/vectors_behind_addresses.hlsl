// dxc: -T cs_6_0 -E main
// Whole vectors are loaded and stored behind addresses, too, though only their words are aligned.
//! bind = t0 address 2
//! bind = t1 address 4
//! bind = u0 address 6
// count: 3 Aligned 4
// count: 0 Aligned 16
ByteAddressBuffer raw : register(t0);
StructuredBuffer<float4> rows : register(t1);
RWStructuredBuffer<float4> output : register(u0);
[numthreads(8, 1, 1)]
void main(uint id : SV_DispatchThreadID) { output[id] = asfloat(raw.Load4(id * 16)) + rows[id]; }
