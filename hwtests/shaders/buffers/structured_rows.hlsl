// dxc: -T cs_6_0 -E main
// Elements of whole rows of four or two words: members in one row, across two, 64-bit ones, single ones.
struct Element {
  uint tag;     // words 0
  float4 v;     // words 1 to 4: across two rows
  uint3 q;      // words 5 to 7
  double d;     // words 8 and 9
  float2 p;     // words 10 and 11: half a row
  uint4 whole;  // words 12 to 15
};
struct Narrow { uint a; uint2 b; uint3 c; };  // 24 bytes: rows of two
StructuredBuffer<Element> In : register(t0);
StructuredBuffer<Narrow> InNarrow : register(t1);
RWStructuredBuffer<Element> Out : register(u0);
RWStructuredBuffer<Narrow> OutNarrow : register(u1);
RWStructuredBuffer<uint2> Sizes : register(u2);

[numthreads(16, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  Element e = In[id];
  Out[id].tag = e.tag + 1;
  Out[id].v = e.v.wzyx;
  Out[id].q.xz = e.q.yx;
  Out[id].d = e.d * 2;
  Out[id].p = e.p.yx;
  Out[id].whole = e.whole.zwxy;
  Narrow n = InNarrow[id];
  OutNarrow[id].a = n.c.z;
  OutNarrow[id].b = n.b.yx;
  OutNarrow[id].c.xy = n.c.yx + n.a;
  uint count, stride;
  Out.GetDimensions(count, stride);
  if (id == 0) Sizes[0] = uint2(count, stride);
  OutNarrow.GetDimensions(count, stride);
  if (id == 1) Sizes[1] = uint2(count, stride);
}
