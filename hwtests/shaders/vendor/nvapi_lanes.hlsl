// dxc: -T cs_6_0 -E main
// What lanes tell each other by NVAPI: operands and number are stored into an element, results come by the counter.
struct Element {
  uint number, resource, sampler_id;
  uint4 result1, operand3, operand4, operand5, operand0, operand1, operand2, result0;
  uint mark, results;
  float padding[27];
};
RWStructuredBuffer<Element> Nvapi : register(u127, space1);
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

uint nvapi(uint number, uint3 operand) {
  uint index = Nvapi.IncrementCounter();
  Nvapi[index].operand0.xyz = operand;
  Nvapi[index].number = number;
  return Nvapi.IncrementCounter();
}

uint2 valid_or_own(uint3 operand) {
  uint index = Nvapi.IncrementCounter();
  Nvapi[index].operand0.xyz = operand;
  Nvapi[index].number = 33;
  Nvapi[index].results = 2;
  uint valid = Nvapi.IncrementCounter();
  return uint2(valid, Nvapi.IncrementCounter());
}

uint match(uint2 value) {
  uint index = Nvapi.IncrementCounter();
  Nvapi[index].operand0.xy = value;
  Nvapi[index].operand1.x = 2;
  Nvapi[index].number = 21;
  return Nvapi.IncrementCounter();
}

uint lane() {
  uint index = Nvapi.IncrementCounter();
  Nvapi[index].number = 8;
  return Nvapi.IncrementCounter();
}

uint lanes_below() {
  uint index = Nvapi.IncrementCounter();
  Nvapi[index].number = 19;
  Nvapi[index].operand0.x = 4;
  return Nvapi.IncrementCounter();
}

static const uint Whole = 31;
static const uint Fours = (32 - 4) << 8;

[numthreads(16, 1, 1)]
void main(uint id : SV_GroupIndex) {
  uint x = In[id];
  uint at = id * 15;
  Out[at + 0] = nvapi(1, uint3(x, 3, Whole));
  Out[at + 1] = nvapi(1, uint3(x, 5, Fours | 31));
  Out[at + 2] = nvapi(2, uint3(x, 1, Fours));
  Out[at + 3] = nvapi(3, uint3(x, 1, Fours | 31));
  Out[at + 4] = nvapi(4, uint3(x, 2, Whole));
  Out[at + 5] = nvapi(5, uint3(x & 1, 0, 0));
  Out[at + 6] = nvapi(6, uint3(x & 1, 0, 0));
  Out[at + 7] = nvapi(7, uint3(x & 1, 0, 0));
  Out[at + 8] = lane();
  Out[at + 9] = match(uint2(x & 1, x & 2));
  Out[at + 10] = lanes_below();
  Out[at + 11] = x;
  // Lanes 0 to 2 of each four are there to be read.
  uint2 near = valid_or_own(uint3(x, id, Fours | 2));
  Out[at + 12] = near.x;
  Out[at + 13] = near.y;
  Out[at + 14] = valid_or_own(uint3(x, 3, Whole)).x;
}
