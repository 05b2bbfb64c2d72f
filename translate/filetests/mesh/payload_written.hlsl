// dxc: -T as_6_5 -E main
//! targets = vulkan1.3
// A payload that is only written is the variable that is handed over: nothing is copied.
// check: OpCapability MeshShadingEXT
// check: OpEntryPoint TaskEXT $main "main"
// check: OpExecutionMode $main LocalSize 4 1 1
// check: OpVariable $ptr TaskPayloadWorkgroupEXT
// check: OpEmitMeshTasksEXT
// count: 0 OpCopyMemory
// count: 1 OpEmitMeshTasksEXT
struct Payload { uint at[4]; };
groupshared Payload payload;
[numthreads(4, 1, 1)]
void main(uint t : SV_GroupIndex) {
  payload.at[t] = t * 3;
  DispatchMesh(4, 1, 1, payload);
}
