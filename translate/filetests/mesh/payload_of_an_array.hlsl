// dxc: -T as_6_5 -E main
// A payload that is one of several in groupshared memory is copied where it is sent.
//! targets = vulkan1.3
// check: OpControlBarrier
// check: OpCopyMemory
// check: OpEmitMeshTasksEXT
struct Payload { uint4 data; float2 place; };
groupshared Payload payloads[4];
cbuffer Choice : register(b0) { uint chosen; };
[numthreads(4, 1, 1)]
void main(uint id : SV_GroupIndex) {
  payloads[id].data = id;
  payloads[id].place = id * 0.5;
  DispatchMesh(2, 1, 1, payloads[chosen]);
}
