// dxc: -T cs_6_0 -E main
// The results of one operation are read in two blocks: the second value need not be there.
//! nvapi = 127 1
// error: an operation of NVAPI whose steps are in several blocks
struct Element {
  uint number, resource, sampler_id;
  uint4 result1, operand3, operand4, operand5, operand0, operand1, operand2, result0;
  uint mark, results;
  float padding[27];
};
RWStructuredBuffer<Element> Nvapi : register(u127, space1);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(32, 1, 1)]
void main(uint id : SV_GroupIndex) {
  uint index = Nvapi.IncrementCounter();
  Nvapi[index].operand0.xyz = uint3(id, 3, 31);
  Nvapi[index].number = 33;
  Nvapi[index].results = 2;
  Out[id] = Nvapi.IncrementCounter();
  [branch] if (Out[id + 32] == 7) Out[id + 64] = Nvapi.IncrementCounter();
}
