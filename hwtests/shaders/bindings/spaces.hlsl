// dxc: -T cs_6_0 -E main
// The same register number in three spaces.
StructuredBuffer<uint> A : register(t0, space0);
StructuredBuffer<uint> B : register(t0, space1);
StructuredBuffer<uint> C : register(t0, space7);
RWStructuredBuffer<uint> Out : register(u0, space3);

[numthreads(16, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  Out[id] = A[id] + B[id] * 100 + C[id] * 10000;
}
