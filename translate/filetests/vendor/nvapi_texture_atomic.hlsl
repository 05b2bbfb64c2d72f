// dxc: -T cs_6_6 -E main
// Handles of shader model 6.6, and a 64-bit atomic of NVAPI on a texel whose old value nothing reads.
//! nvapi = 127 1
// check: OpCapability Int64ImageEXT
// check: OpAtomicUMax
// not: OpImageWrite
struct Element {
  uint number, resource, sampler_id;
  uint4 result1, operand3, operand4, operand5, operand0, operand1, operand2, result0;
  uint mark, results;
  float padding[27];
};
RWStructuredBuffer<Element> Nvapi : register(u127, space1);
RWTexture2D<uint2> Pixels : register(u0);

[numthreads(8, 8, 1)]
void main(uint2 id : SV_DispatchThreadID, uint depth : SV_GroupIndex) {
  uint index = Nvapi.IncrementCounter();
  Nvapi[index].mark = 1;
  Pixels[uint2(index, index)] = 0;
  index = Nvapi.IncrementCounter();
  Nvapi[index].operand0.xy = id;
  Nvapi[index].operand1.xy = uint2(id.x, depth);
  Nvapi[index].operand2.x = 6;
  Nvapi[index].number = 20;
}
