// dxc: -T cs_6_0 -E main
// Values that change places on a loop's back edge: all phis of a block read before any is written.
StructuredBuffer<uint> In : register(t0);
RWStructuredBuffer<uint3> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  uint a = 1, b = 2, c = 3, n = In[id];
  [loop] for (uint i = 0; i < n; ++i) {
    uint t = a;
    a = b;
    b = c;
    c = t;
    if (In[i & 63] & 1) {
      t = a;
      a = c;
      c = t;
    }
  }
  Out[id] = uint3(a, b, c);
}
