// dxc: -T as_6_5 -E main
// The same in any order: the payload's own counter is read and changed by all threads.
struct Payload { uint tiles[16]; float scale; uint2 base; uint count; };
groupshared Payload payload;
[numthreads(16, 1, 1)]
void main(uint t : SV_GroupIndex, uint3 g : SV_GroupID) {
  if (t == 0) { payload.count = 0; payload.scale = 0.5; payload.base = uint2(3, g.x); }
  GroupMemoryBarrierWithGroupSync();
  if ((t + t / 4) % 2 == 0) {
    uint slot;
    InterlockedAdd(payload.count, 1, slot);
    payload.tiles[slot] = t;
  }
  GroupMemoryBarrierWithGroupSync();
  DispatchMesh(payload.count, 1, 1, payload);
}
