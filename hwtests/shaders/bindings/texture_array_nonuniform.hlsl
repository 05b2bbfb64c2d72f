// dxc: -T cs_6_0 -E main
// Every thread reads another texture of the array.
Texture2D<uint> T[4] : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(16, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  uint which = (id * 7) & 3;
  Out[id] = T[NonUniformResourceIndex(which)].Load(int3(id & 1, (id >> 1) & 1, 0));
}
