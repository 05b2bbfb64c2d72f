// The address of a raw store is no multiple of 4.
ByteAddressBuffer In : register(t0);
RWByteAddressBuffer Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint i : SV_GroupIndex, uint3 id : SV_DispatchThreadID) {
#ifdef DEFECT
    uint at = id.x * 4 + 1;
#else
    uint at = id.x * 4;
#endif
    Out.Store(at, 5);
}
