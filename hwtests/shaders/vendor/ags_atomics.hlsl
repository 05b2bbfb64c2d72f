// dxc: -T cs_6_0 -E main
// 64-bit atomics by AGS on a raw buffer.
RWByteAddressBuffer Ags : register(u0, space2147420894);
RWByteAddressBuffer Numbers : register(u0);
RWStructuredBuffer<uint2> Old : register(u1);

uint ags(uint opcode, uint phase, uint immediate, uint a, uint b) {
  uint result;
  Ags.InterlockedCompareExchange(0x50000000 | phase << 24 | immediate << 8 | opcode, a, b, result);
  return result;
}

uint2 atomic(uint operation, uint address, uint2 value) {
  uint2 old;
  old.x = ags(0x18, 0, operation, address, 0);
  old.y = ags(0x18, 1, operation, 0, value.x);
  Numbers.Store(old.x, old.y);
  old.y = ags(0x18, 2, operation, value.y, old.y);
  return old;
}

uint2 exchange(uint address, uint2 compare, uint2 value) {
  uint2 old;
  old.x = ags(0x18, 0, 8, address, 0);
  old.y = ags(0x18, 1, 8, 0, value.x);
  Numbers.Store(old.x, old.y);
  old.y = ags(0x18, 2, 8, value.y, compare.x);
  old.y = ags(0x18, 3, 8, compare.y, old.y);
  return old;
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  atomic(6, 0, uint2(0xc0000000, id));
  atomic(1, 8, uint2(id, 100 - id));
  atomic(2, 16, uint2(100 - id, id));
  atomic(5, 24, uint2(1u << (id & 31), id));
  if (id < 8) {
    uint place = 32 + 8 * id;
    Old[3 * id + 0] = atomic(7, place, uint2(id, 7));
    Old[3 * id + 1] = exchange(place, uint2(id, 7), uint2(20 + id, 9));
    Old[3 * id + 2] = exchange(place, uint2(id, 7), uint2(30, 30));
  }
}
