// dxc: -T cs_6_0 -E main
// Registers and spaces beyond 2^31.
StructuredBuffer<uint> S : register(t4294967290, space4000000000);
StructuredBuffer<uint> A[3] : register(t3000000000, space2147483653);
RWStructuredBuffer<uint> Out : register(u2147483648, space2147483649);

[numthreads(12, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  Out[id] = S[id] + A[NonUniformResourceIndex(id % 3)][id];
}
