// dxc: -T cs_6_0 -E main
// `continue` in a do loop goes to its condition.
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  uint i = In[id], sum = 0;
  [loop] do {
    i += 3;
    if (i & 1) continue;
    sum += In[i & 63];
    if (sum > 200) break;
    sum ^= 1;
  } while (i < 90);
  Out[id] = sum * 128 + i;
}
