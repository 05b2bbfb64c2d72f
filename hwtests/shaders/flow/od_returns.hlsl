// dxc: -T cs_6_0 -E main -Od
// The same shapes without the optimiser: returns inside of loops inside of switches.
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

uint classify(uint v) {
  switch (v & 3) {
    case 0:
      return v;
    case 1:
      for (uint i = 0; i < 10; ++i) {
        if (v > 200) return i;
        if (v % 7 == 0) break;
        v += 13;
      }
      return v * 2;
    case 2:
      if (v > 32) return 5;
      break;
    default:
      do {
        v--;
        if (v % 5 == 0) continue;
        v -= v % 3;
      } while (v > 20 && v < 1000);
  }
  return v + 1000;
}

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  uint a = classify(In[id]);
  if (a > 900) {
    Out[id] = a;
    return;
  }
  Out[id] = classify(a) + 1;
}
