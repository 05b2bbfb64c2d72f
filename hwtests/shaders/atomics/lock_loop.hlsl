// dxc: -T cs_6_0 -E main
// A compare-and-exchange loop adds floats.
StructuredBuffer<float> In : register(t0);
RWByteAddressBuffer Out : register(u0);

[numthreads(32, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  float v = In[id];
  uint seen = Out.Load(0);
  [allow_uav_condition] [loop] while (true) {
    uint old;
    Out.InterlockedCompareExchange(0, seen, asuint(asfloat(seen) + v), old);
    if (old == seen) break;
    seen = old;
  }
}
