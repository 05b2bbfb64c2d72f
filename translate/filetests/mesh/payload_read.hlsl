// dxc: -T as_6_5 -E main
//! targets = vulkan1.3
// A payload that threads also read stays in groupshared memory; thread 0 copies it behind a barrier.
// check: OpEntryPoint TaskEXT
// check: OpVariable $shared Workgroup
// check: OpVariable $sent TaskPayloadWorkgroupEXT
// check: OpControlBarrier
// check: OpBranchConditional
// check: OpCopyMemory
// check: OpEmitMeshTasksEXT
// count: 1 OpCopyMemory
struct Payload { uint count; uint at[4]; };
groupshared Payload payload;
[numthreads(4, 1, 1)]
void main(uint t : SV_GroupIndex) {
  if (t == 0) payload.count = 0;
  GroupMemoryBarrierWithGroupSync();
  uint slot;
  InterlockedAdd(payload.count, t & 1, slot);
  payload.at[slot] = t;
  DispatchMesh(payload.count, 1, 1, payload);
}
