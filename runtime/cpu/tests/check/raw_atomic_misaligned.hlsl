// The address of an atomic operation is no multiple of 4.
ByteAddressBuffer In : register(t0);
RWByteAddressBuffer Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint i : SV_GroupIndex, uint3 id : SV_DispatchThreadID) {
#ifdef DEFECT
    uint at = (i & 7) * 4 + 1;
#else
    uint at = (i & 7) * 4;
#endif
    Out.InterlockedAdd(at, 1);
}
