// dxc: -T cs_6_6 -E main
// 64-bit values in raw buffers, whose alignment DXC does not say.
ByteAddressBuffer source : register(t0);
RWByteAddressBuffer target : register(u0);
cbuffer Parameters : register(b0) { uint count; }

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
    if (id >= count)
        return;
    double a = source.Load<double>(id * 8);
    double2 b = source.Load<double2>(id * 16 + 65536);
    uint64_t c = source.Load<uint64_t>(id * 8 + 131072);
    target.Store<double2>(id * 16, b * a);
    target.Store<uint64_t>(id * 8 + 65536, c * 3 + id);
}
