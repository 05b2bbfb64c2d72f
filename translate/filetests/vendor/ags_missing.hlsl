// dxc: -T cs_6_0 -E main
// error: AGS Halt (0x21): SPIR-V stops no wave
RWByteAddressBuffer Ags : register(u0, space2147420894);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(1, 1, 1)]
void main() {
  uint result;
  Ags.InterlockedCompareExchange(0x50000021, 0, 0, result);
  Out[0] = result;
}
