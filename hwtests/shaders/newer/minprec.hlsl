// dxc-newer: -T cs_6_7 -E main
// min precision in structured buffers, groupshared and wave ops
struct E { min16float4 v; min16uint4 n; min16int4 s; };
StructuredBuffer<E> src : register(t0);
RWStructuredBuffer<E> dst : register(u0);
groupshared min16float acc[32];

[numthreads(32, 1, 1)]
void main(uint t : SV_GroupIndex, uint id : SV_DispatchThreadID) {
  E e = src[id];
  acc[t] = dot(e.v, e.v);
  GroupMemoryBarrierWithGroupSync();
  e.v = normalize(e.v) * acc[31 - t];
  e.n = (e.n << 3) | (min16uint4)e.s;
  e.s = (min16int4)WavePrefixSum((int4)e.s) - e.s;
  dst[id] = e;
}
