// dxc: -T cs_6_0 -E main
// Selects on scalars and vectors; logic on booleans; any and all.
StructuredBuffer<int4> In : register(t0);
RWStructuredBuffer<int4> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  int4 v = In[id];
  bool4 negative = v < 0;
  bool4 odd = (v & 1) != 0;
  int4 r = negative ? -v : v * 2;
  r = (negative && odd) ? r + 1000 : r;
  r.x += any(odd) ? 7 : 0;
  r.y += all(negative) ? 11 : 13;
  bool3 mixed = bool3(negative.x || odd.y, !(odd.z), negative.z != odd.w);
  r.zw += int2(mixed.x ? 1 : 0, (mixed.y ? 2 : 0) + (mixed.z ? 4 : 0));
  Out[id] = r;
}
