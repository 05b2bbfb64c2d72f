// dxc: -T cs_6_0 -E main
// Atomics on members of structured elements; each addition returns another old value.
struct Item { uint pad; uint count; int low; };
RWStructuredBuffer<Item> Items : register(u0);
RWStructuredBuffer<uint> Seen : register(u1);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  uint old;
  InterlockedAdd(Items[id & 3].count, 1, old);
  Seen[(id & 3) * 16 + old] = 1;
  InterlockedMin(Items[id & 3].low, -int(id));
}
