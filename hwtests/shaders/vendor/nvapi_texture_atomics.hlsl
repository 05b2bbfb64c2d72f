// dxc: -T cs_6_0 -E main
// Atomics by NVAPI on floats in textures, whose texels ordinary code reads and writes as well.
struct Element {
  uint number, resource, sampler_id;
  uint4 result1, operand3, operand4, operand5, operand0, operand1, operand2, result0;
  uint mark, results;
  float padding[27];
};
RWStructuredBuffer<Element> Nvapi : register(u127, space1);
RWTexture2D<float> Sums : register(u0);
RWTexture1D<float2> Halves : register(u1);
RWStructuredBuffer<float4> Seen : register(u2);

static const uint HalvesAtomic = 12, FloatAtomic = 13, Add = 3, Max = 6, Min = 7;

uint atomic(uint number, uint operation, uint2 address, uint value) {
  uint index = Nvapi.IncrementCounter();
  Nvapi[index].operand0.xy = address;
  Nvapi[index].operand1.x = value;
  Nvapi[index].operand2.x = operation;
  Nvapi[index].number = number;
  return Nvapi[index].result0.x;
}

void about_sums() {
  uint index = Nvapi.IncrementCounter();
  Nvapi[index].mark = 1;
  Sums[uint2(index, index)] = 0;
}

void about_halves() {
  uint index = Nvapi.IncrementCounter();
  Nvapi[index].mark = 1;
  Halves[index] = 0;
}

uint halves(float low, float high) { return f32tof16(low) | f32tof16(high) << 16; }

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  Halves[id] = float2(id, -0.5 * id);
  AllMemoryBarrierWithGroupSync();
  about_sums();
  atomic(FloatAtomic, Add, uint2(id & 3, id >> 2 & 3), asuint(0.25 * id));
  about_halves();
  uint old = atomic(HalvesAtomic, Add, uint2(id, 0), halves(1, 2));
  about_halves();
  atomic(HalvesAtomic, Min, uint2(id, 0), halves(40, 100));
  about_halves();
  atomic(HalvesAtomic, Max, uint2(64, 0), halves(id, -1.0 - id));
  AllMemoryBarrierWithGroupSync();
  Seen[id] = float4(f16tof32(old), f16tof32(old >> 16), Halves[id]);
}
