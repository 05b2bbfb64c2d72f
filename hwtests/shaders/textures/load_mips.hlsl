// dxc: -T cs_6_0 -E main
// Loads from every mip, and loads outside of the texture, which give zero.
Texture2D<uint> T : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(32, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  if (id < 16) Out[id] = T.Load(int3(id & 3, id >> 2, 0));
  else if (id < 20) Out[id] = T.mips[1][uint2(id & 1, (id >> 1) & 1)];
  else if (id == 20) Out[id] = T.Load(int3(0, 0, 2));
  else if (id < 24) Out[id] = T.Load(int3(int(id) - 17, 1, 0)) + 9;
  else if (id < 26) Out[id] = T.Load(int3(-1, 0, 0)) + 10;
  else Out[id] = T.Load(int3(0, 0, id - 23)) + 11;
}
