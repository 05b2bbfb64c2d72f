// Threads write different bytes of one word, and one writes all of it.
// dxc -T cs_6_2 -enable-16bit-types
ByteAddressBuffer In : register(t0);
RWByteAddressBuffer Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint i : SV_GroupIndex, uint3 id : SV_DispatchThreadID) {
    Out.Store<uint16_t>(id.x * 2, uint16_t(i + 1));
#ifdef DEFECT
    if (i == 0) Out.Store(id.x * 2 & ~255u, 77);
#else
    if (i == 0) Out.Store(id.x * 2 + 512 & ~255u, 77);
#endif
}
