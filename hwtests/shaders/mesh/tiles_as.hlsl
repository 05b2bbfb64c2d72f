// dxc: -T as_6_5 -E main
// Each thread decides about one tile of 4 x 4; the payload is only written.
struct Payload { uint tiles[16]; float scale; uint2 base; };
groupshared Payload payload;
[numthreads(16, 1, 1)]
void main(uint t : SV_GroupIndex, uint3 g : SV_GroupID) {
  bool keep = (t + t / 4) % 2 == 0;
  // Of two neighbours just one is kept.
  if (keep) payload.tiles[t / 2] = t;
  if (t == 0) { payload.scale = 0.5; payload.base = uint2(3, g.x); }
  DispatchMesh(8, 1, 1, payload);
}
