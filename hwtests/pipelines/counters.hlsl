// dxc: -T cs_6_0 -E main
// An array of buffers with hidden counters, a byte address buffer, a constant buffer.
cbuffer Constants : register(b0) { uint base; uint step; };
RWStructuredBuffer<uint> lists[3] : register(u0, space2);
RWByteAddressBuffer bytes : register(u0);

[numthreads(3, 1, 1)]
void main(uint id : SV_GroupIndex) {
  uint list = NonUniformResourceIndex(id);
  for (uint i = 0; i <= id; ++i) {
    uint slot = lists[list].IncrementCounter();
    lists[list][slot] = base + slot * step;
  }
  bytes.Store(id * 4, id * id);
}
