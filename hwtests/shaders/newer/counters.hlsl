// dxc-newer: -T cs_6_6 -E main
// counters: append, consume, increment/decrement; typed atomics on textures, atomic float exchange by bits
AppendStructuredBuffer<uint2> out_ : register(u0);
ConsumeStructuredBuffer<uint2> in_ : register(u1);
RWStructuredBuffer<uint> list : register(u2);
RWTexture3D<int> vol : register(u3);
RWTexture2DArray<uint> ids : register(u4);
RWBuffer<int> typed : register(u5);

[numthreads(8, 8, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  uint2 e = in_.Consume();
  if (e.x & 1) out_.Append(e.yx);
  uint slot = list.IncrementCounter();
  list[slot] = e.x;
  if (slot > 100) list.DecrementCounter();
  int old;
  InterlockedMin(vol[id], (int)e.x, old);
  InterlockedCompareExchange(typed[e.y & 15], old, 7, old);
  uint prev;
  InterlockedExchange(ids[uint3(id.xy, 0)], (uint)old, prev);
  InterlockedXor(ids[uint3(id.xy, 1)], prev);
}
