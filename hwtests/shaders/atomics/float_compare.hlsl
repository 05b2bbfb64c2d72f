// dxc: -T cs_6_6 -E main
// Float exchange and bitwise float compare-exchange.
RWByteAddressBuffer Raw : register(u0);
RWStructuredBuffer<float> Structured : register(u1);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  float old;
  Raw.InterlockedCompareExchangeFloatBitwise(0, 0.5, 2.5, old);
  if (old == 0.5) Raw.InterlockedAdd(4, 1);
  InterlockedExchange(Structured[0], 4.25, old);
  InterlockedCompareStoreFloatBitwise(Structured[1], -1.0, 8.0);
}
