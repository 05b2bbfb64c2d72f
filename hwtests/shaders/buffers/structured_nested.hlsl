// dxc: -T cs_6_0 -E main
// Elements with nested structs, arrays and a matrix; single members are written.
struct Inner { float2 p; int k[3]; };
struct Outer { uint tag; Inner inner[2]; row_major float2x3 m; };
StructuredBuffer<Outer> In : register(t0);
RWStructuredBuffer<Outer> Out : register(u0);

[numthreads(16, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  Outer o = In[id];
  Out[id].tag = o.tag + 1;
  uint which = o.tag & 1;
  Out[id].inner[which].p = o.inner[1 - which].p.yx;
  Out[id].inner[which].k[o.tag % 3] = o.inner[which].k[(o.tag + 1) % 3];
  Out[id].m[1] = o.m[0] + o.m[1];
}
