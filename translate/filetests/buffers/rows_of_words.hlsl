// dxc: -T cs_6_0 -E main
// Elements of 16 bytes are one load and one store, half of them is two words; where an access does not know
// its place in the element, the buffer is words. What is not written is not touched.
// check: OpDecorate $rows ArrayStride 16
// check: $rows = OpTypeRuntimeArray $v4
// check: OpLoad $v4
// check: OpStore
// count: 1 OpLoad $v4
// count: 13 OpStore
struct Loose { uint a[4]; };
StructuredBuffer<uint4> s : register(t0);
StructuredBuffer<Loose> l : register(t1);
RWStructuredBuffer<float4> o : register(u0);
RWStructuredBuffer<float4> part : register(u1);
RWStructuredBuffer<uint4> counts : register(u2);
[numthreads(1, 1, 1)]
void main(uint i : SV_GroupID) {
  o[i] = asfloat(s[i]);
  part[i].xyz = float3(1, 2, s[i + 1].x);
  part[i + 1].yz = asfloat(s[i + 2].zw);
  InterlockedAdd(counts[i].x, l[i].a[i & 3]);
  counts[i + 1] = uint4(1, 2, 3, 4) + i;
  counts[i + 2].xyz = i;
}
