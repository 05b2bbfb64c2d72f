// A null descriptor is written.
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);
RWStructuredBuffer<uint> Nothing : register(u3);

[numthreads(64, 1, 1)]
void main(uint i : SV_GroupIndex, uint3 id : SV_DispatchThreadID) {
    Out[id.x] = i;
#ifdef DEFECT
    Nothing[id.x] = i;
#else
    Out[id.x] = i + 1;
#endif
}
