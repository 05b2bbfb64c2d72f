// dxc: -T cs_6_0 -E main
// Stores of bytes and of 16 bits by AGS: threads share words.
RWByteAddressBuffer Ags : register(u0, space2147420894);
RWByteAddressBuffer Out : register(u0);

uint ags(uint opcode, uint phase, uint a, uint b) {
  uint result;
  Ags.InterlockedCompareExchange(0x50000000 | phase << 24 | opcode, a, b, result);
  return result;
}

void store_byte(uint address, uint value) {
  uint mark = ags(0x23, 0, address, value);
  Out.Store(address, mark);
  ags(0x23, 1, 0, 0);
}

void store_short(uint address, uint value) {
  uint mark = ags(0x24, 0, address, value);
  Out.Store(address, mark);
  ags(0x24, 1, 0, 0);
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  // Higher bits of a value do not count.
  if (id < 32)
    store_byte(id + 1, 0xabcdef00 | id * 5);
  else
    store_short(id * 2, 0xabcd0000 | id * 1001);
}
