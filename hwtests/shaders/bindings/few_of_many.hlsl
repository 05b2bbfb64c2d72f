// dxc: -T cs_6_0 -E main
// Arrays without an end, of which the indices name a few elements.
StructuredBuffer<uint> Buffers[] : register(t0, space1);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(8, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  uint sum = Buffers[NonUniformResourceIndex((id & 7) + 2)][id];
  sum += Buffers[NonUniformResourceIndex(min(id, 5u) * 3)][id];
  Out[id] = sum + Buffers[NonUniformResourceIndex(id > 3 ? 1 : 12)][id];
}
