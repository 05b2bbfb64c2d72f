// dxc: -T cs_6_0 -E main
// Atomics by NVAPI on a raw buffer: the buffer is named by a store, the result is loaded from the element.
struct Element {
  uint number, resource, sampler_id;
  uint4 result1, operand3, operand4, operand5, operand0, operand1, operand2, result0;
  uint mark, results;
  float padding[27];
};
RWStructuredBuffer<Element> Nvapi : register(u127, space1);
RWByteAddressBuffer Numbers : register(u0);
RWStructuredBuffer<uint2> Old : register(u1);

void about_numbers() {
  uint index = Nvapi.IncrementCounter();
  Nvapi[index].mark = 1;
  Numbers.Store(index, 0);
}

uint2 atomic(uint number, uint operation, uint address, uint4 value) {
  about_numbers();
  uint index = Nvapi.IncrementCounter();
  Nvapi[index].operand0.x = address;
  Nvapi[index].operand1 = value;
  Nvapi[index].operand2.x = operation;
  Nvapi[index].number = number;
  return Nvapi[index].result0.xy;
}

static const uint Halves = 12, Float = 13, Wide = 20;
static const uint And = 0, Or = 1, Xor = 2, Add = 3, Max = 6, Min = 7, Swap = 8, Cas = 9;

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  atomic(Float, Add, 0, asuint(float(id) * 0.5));
  uint halves = f32tof16(float(id)) | f32tof16(-0.5 * float(id)) << 16;
  // Every partial sum of 0 to 63, and of their halves, is a half.
  atomic(Halves, Add, 4, halves);
  atomic(Halves, Min, 8, halves);
  atomic(Halves, Max, 12, halves);
  atomic(Wide, Add, 16, uint4(0xc0000000, id, 0, 0));
  atomic(Wide, Min, 24, uint4(id, 100 - id, 0, 0));
  atomic(Wide, Max, 32, uint4(100 - id, id, 0, 0));
  atomic(Wide, Xor, 40, uint4(1u << (id & 31), id, 0, 0));
  atomic(Wide, Or, 48, uint4(1u << (id & 31), 1u << (id >> 1), 0, 0));
  atomic(Wide, And, 56, uint4(~(1u << (id & 7)), ~0u, 0, 0));
  if (id < 8) {
    uint place = 64 + 16 * id;
    Old[5 * id + 0] = atomic(Wide, Swap, place, uint4(id, 7, 0, 0));
    Old[5 * id + 1] = atomic(Wide, Cas, place, uint4(id, 7, 20 + id, 9));
    Old[5 * id + 2] = atomic(Wide, Cas, place, uint4(id, 7, 30, 30));
    Old[5 * id + 3] = uint2(atomic(Float, Add, place + 8, asuint(1.5)).x, 1);
    Old[5 * id + 4] = uint2(atomic(Halves, Max, place + 12, f32tof16(2.0) << 16 | f32tof16(-1.0)).x, 2);
  }
}
