// The address of a raw load is no multiple of 4.
ByteAddressBuffer In : register(t0);
RWByteAddressBuffer Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint i : SV_GroupIndex, uint3 id : SV_DispatchThreadID) {
#ifdef DEFECT
    uint at = i * 4 + 2;
#else
    uint at = i * 4;
#endif
    Out.Store(id.x * 4, In.Load(at));
}
