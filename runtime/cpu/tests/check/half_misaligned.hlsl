// The address of a load of 16 bits is odd.
// dxc -T cs_6_2 -enable-16bit-types
ByteAddressBuffer In : register(t0);
RWByteAddressBuffer Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint i : SV_GroupIndex, uint3 id : SV_DispatchThreadID) {
#ifdef DEFECT
    uint at = i * 2 + 1;
#else
    uint at = i * 2;
#endif
    Out.Store(id.x * 4, uint(In.Load<uint16_t>(at)));
}
