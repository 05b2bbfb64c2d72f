// dxc: -T cs_6_0 -E main
// A switch on 64 bits: cases that differ in the high word only, and one with all bits.
StructuredBuffer<uint2> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(16, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  uint64_t key = ((uint64_t)In[id].y << 32) | In[id].x;
  uint value = id;
  switch (key) {
    case 0x100000000ull: value += 1000; break;
    case 0x200000000ull: value *= 3; break;
    case 0: value ^= 0xff; break;
    case 0xffffffffffffffffull: value = 77; Out[16] = 5; break;
    case 0xffffffffull: value -= 1; break;
    default: value = 1;
  }
  Out[id] = value;
}
