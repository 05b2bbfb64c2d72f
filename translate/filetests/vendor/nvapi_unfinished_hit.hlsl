// dxc: -T lib_6_5
// The calls that have an operation's operands are missing.
//! entry = gen
//! nvapi = 127 1
//! targets = vulkan1.3
// error: steps of an operation on hit objects of NVAPI in that order
struct Element {
  uint number, resource, sampler_id;
  uint4 result1, operand3, operand4, operand5, operand0, operand1, operand2, result0;
  uint mark, results;
  float padding[27];
};
RWStructuredBuffer<Element> Nvapi : register(u127, space1);
RWStructuredBuffer<uint> Out : register(u0);

[shader("raygeneration")]
void gen() {
  uint index = Nvapi.IncrementCounter();
  Nvapi[index].number = 68;
  Nvapi[index].results = 2;
  Nvapi[index].operand0 = uint4(1, 2, 3, 4);
  Nvapi[index].operand1.x = 5;
  uint hit = Nvapi.IncrementCounter();
  Nvapi.IncrementCounter();
  Out[0] = hit;
}
