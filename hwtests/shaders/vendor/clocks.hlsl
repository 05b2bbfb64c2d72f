// dxc: -T cs_6_0 -E main
// The clocks of AGS, of the wave and of the device, and the timer of NVAPI, each read before and after a loop over memory.
struct Element {
  uint number, resource, sampler_id;
  uint4 result1, operand3, operand4, operand5, operand0, operand1, operand2, result0;
  uint mark, results;
  float padding[27];
};
RWStructuredBuffer<Element> Nvapi : register(u127, space1);
RWByteAddressBuffer Ags : register(u0, space2147420894);
RWStructuredBuffer<uint> Out : register(u0);
RWStructuredBuffer<uint> Work : register(u1);

uint ags(uint opcode, uint phase) {
  uint result;
  Ags.InterlockedCompareExchange(0x50000000 | phase << 24 | opcode, 0, 0, result);
  return result;
}

uint special(uint which) {
  uint index = Nvapi.IncrementCounter();
  Nvapi[index].number = 19;
  Nvapi[index].operand0.x = which;
  return Nvapi.IncrementCounter();
}

uint2 clock() {
  uint low = ags(0x1f, 0);
  return uint2(low, ags(0x1f, 1));
}

uint2 realtime() {
  uint low = ags(0x20, 0);
  return uint2(low, ags(0x20, 1));
}

uint2 timer() {
  uint low = special(9);
  return uint2(low, special(10));
}

// 1 if b is not before a.
uint in_order(uint2 a, uint2 b) { return b.y > a.y || b.y == a.y && b.x >= a.x; }

[numthreads(1, 1, 1)]
void main() {
  uint2 clock0 = clock(), timer0 = timer(), realtime0 = realtime();
  for (uint i = 0; i < 1000; i++)
    InterlockedAdd(Work[0], i);
  uint2 clock1 = clock(), timer1 = timer(), realtime1 = realtime();
  Out[0] = in_order(clock0, clock1);
  Out[1] = in_order(timer0, timer1);
  Out[2] = any(clock0 != clock1);
  Out[3] = any(timer0 != timer1);
  Out[4] = in_order(realtime0, realtime1);
  Out[5] = any(realtime0 != realtime1);
}
