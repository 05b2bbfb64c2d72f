// A root constant is read that the root signature does not have.
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);
cbuffer Constants : register(b0) { uint a; uint b; uint c; uint d; uint e; };

[numthreads(64, 1, 1)]
void main(uint i : SV_GroupIndex, uint3 id : SV_DispatchThreadID) {
#ifdef DEFECT
    Out[id.x] = e;
#else
    Out[id.x] = d;
#endif
}
