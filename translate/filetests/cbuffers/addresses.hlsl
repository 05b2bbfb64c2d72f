// dxc: -T cs_6_0 -E main
//! bind = b0 address 0
//! bind = t0 address 2
//! bind = u0 address 4
// check: OpCapability PhysicalStorageBufferAddresses
// check: OpMemoryModel PhysicalStorageBuffer64
// check: Aligned 16
// Drivers load from the scalar unit only what the block says nobody writes: b0 and t0.
// count: 2 NonWritable
// check: OpInBoundsAccessChain
cbuffer C : register(b0) { float4 a; float4 b[2]; };
ByteAddressBuffer t : register(t0);
RWStructuredBuffer<uint2> o : register(u0);
[numthreads(1, 1, 1)]
void main(uint i : SV_GroupID) { o[i] = t.Load2(i * 8) + asuint(a.xy + b[i].zw); InterlockedAdd(o[0].x, 3); }
