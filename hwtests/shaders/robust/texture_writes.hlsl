// dxc: -T cs_6_0 -E main
// Stores and atomics outside of textures do nothing, and their atomics give zero.
RWTexture1D<uint> Line : register(u1);
RWTexture2D<uint> Flat : register(u2);
RWTexture2DArray<uint> Layers : register(u3);
RWTexture3D<uint> Solid : register(u4);
RWBuffer<uint> Typed : register(u5);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(8, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  // Only the first thread is inside.
  int at = id == 0 ? 1 : id < 4 ? (int)id + 1 : id < 6 ? -(int)id : 0x10000 + (int)id;
  Line[at] = 100 + id;
  Flat[int2(at, 0)] = 100 + id;
  Flat[int2(0, at)] = 100 + id;
  Layers[int3(0, 0, at)] = 100 + id;
  Layers[int3(at, 0, 0)] = 100 + id;
  Solid[int3(0, 0, at)] = 100 + id;
  Solid[int3(0, at, 0)] = 100 + id;
  uint old;
  InterlockedAdd(Flat[int2(at, 1)], 7, old);
  Out[id * 3 + 0] = old;
  InterlockedMax(Typed[at], 1000 + id, old);
  Out[id * 3 + 1] = old;
  InterlockedCompareExchange(Layers[int3(1, at, 1)], 5, 9, old);
  Out[id * 3 + 2] = old;
}
