// dxc: -T cs_6_6 -E main
// Floats are exchanged as their bits.
// check: OpAtomicCompareExchange
// check: OpAtomicExchange
RWStructuredBuffer<float> s : register(u1);
RWTexture2D<float> t : register(u2);
[numthreads(1, 1, 1)]
void main(uint i : SV_GroupID) {
  float old; InterlockedCompareExchangeFloatBitwise(s[i], 1.0, 2.0, old); InterlockedExchange(t[uint2(i, 0)], old, old); t[uint2(i, 1)] = old + t[uint2(i, 2)];
}
