// dxc: -T lib_6_3
// Arrays of several dimensions in a library, read and written: a thread takes each index from its own number, and
// constants stand among them. (Outside of libraries the compiler computes one index.)
StructuredBuffer<uint> In[2][3] : register(t2);
RWStructuredBuffer<uint> Out[2][1][2] : register(u1);

[shader("compute")]
[numthreads(24, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  uint a = id & 1, b = id / 2 % 3, c = id / 6 % 2;
  uint value = In[NonUniformResourceIndex(a)][NonUniformResourceIndex(b)][id] + In[1][NonUniformResourceIndex(b)][0] * 1000;
  Out[NonUniformResourceIndex(c)][0][NonUniformResourceIndex(a)][id] = value + In[0][2][1] * 100000;
}
