// dxc: -T cs_6_0 -E main
// What is only written is NonReadable, what is only read NonWritable. SRVs are Restrict, UAVs may alias.
// count: 2 NonReadable
// count: 2 NonWritable
// count: 1 Restrict
StructuredBuffer<uint> source : register(t0);
RWStructuredBuffer<uint> written : register(u0);
RWStructuredBuffer<uint> updated : register(u1);
RWStructuredBuffer<uint> added : register(u2);
RWByteAddressBuffer loaded : register(u3);
RWBuffer<uint> texels : register(u4);
[numthreads(64, 1, 1)]
void main(uint id : SV_GroupIndex) {
  written[id] = source[id] + loaded.Load(id * 4);
  updated[id] = updated[id] + 1;
  InterlockedAdd(added[0], id);
  texels[id] = id;
}
