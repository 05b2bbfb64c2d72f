// dxc: -T lib_6_5
//! entry = hit
//! nvapi = 127 1
//! targets = vulkan1.3
// check: OpDecorate $cluster BuiltIn ClusterIDNV
// check: = OpLoad $uint $cluster
struct Element {
  uint number, resource, sampler_id;
  uint4 result1, operand3, operand4, operand5, operand0, operand1, operand2, result0;
  uint mark, results;
  float padding[27];
};
RWStructuredBuffer<Element> Nvapi : register(u127, space1);
struct Payload { uint cluster; };

[shader("closesthit")]
void hit(inout Payload payload, BuiltInTriangleIntersectionAttributes attributes) {
  uint index = Nvapi.IncrementCounter();
  Nvapi[index].number = 93;
  payload.cluster = Nvapi.IncrementCounter();
}
