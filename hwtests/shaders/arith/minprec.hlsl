// dxc: -T cs_6_0 -E main
// Min-precision types, on numbers where every allowed precision gives the same answer.
StructuredBuffer<int> In : register(t0);
RWStructuredBuffer<int> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  int v = In[id];
  min16float f = (min16float)v;
  min16int i = (min16int)v;
  min16uint u = (min16uint)(v & 0xff);
  f = f * 2 + 1;
  i = i * 3 - 5;
  u = (u << 2) + 3;
  uint o = id * 4;
  Out[o + 0] = int(f);
  Out[o + 1] = int(i);
  Out[o + 2] = int(u);
  Out[o + 3] = (f > 20 && i < 60) ? int(max(i, (min16int)7)) : int(u / 3);
}
