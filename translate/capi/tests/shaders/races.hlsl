// dxc: -T cs_6_0 -E main
// Every thread reads a word, and writes one that lies so many words behind it; then it counts in a third buffer.
cbuffer Constants : register(b0) { uint distance; }
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);
RWByteAddressBuffer Count : register(u1);

[numthreads(16, 1, 1)]
void main(uint i : SV_DispatchThreadID) {
  uint value = In[i];
  Out[i + distance] = value + Out[i + distance];
  uint before;
  Count.InterlockedAdd(0, 1, before);
}
