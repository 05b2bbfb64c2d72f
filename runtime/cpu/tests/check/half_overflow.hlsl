// A half cannot hold the product.
// dxc -T cs_6_2 -enable-16bit-types
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint i : SV_GroupIndex, uint3 id : SV_DispatchThreadID) {
#ifdef DEFECT
    half value = half(i * 100);
#else
    half value = half(i);
#endif
    Out[id.x] = asuint16(value * half(20));
}
