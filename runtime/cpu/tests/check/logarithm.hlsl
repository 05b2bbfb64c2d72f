// The logarithm of zero is infinite.
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint i : SV_GroupIndex, uint3 id : SV_DispatchThreadID) {
#ifdef DEFECT
    float value = float(i);
#else
    float value = float(i + 1);
#endif
    Out[id.x] = asuint(log2(value));
}
