// dxc: -T cs_6_0 -E main
// Infinities and NaN as constants: the start of a minimum and a maximum, operands of comparisons,
// and elements of a table.
StructuredBuffer<float> In : register(t0);
RWStructuredBuffer<uint4> Out : register(u0);
static const float Table[4] = { asfloat(0x7f800000u), 1.5, asfloat(0xff800000u), asfloat(0x7fc00000u) };

[numthreads(8, 1, 1)]
void main(uint at : SV_DispatchThreadID) {
  float most = asfloat(0xff800000u), least = asfloat(0x7f800000u);
  [loop] for (uint i = 0; i < at; i++) {
    most = In[i] > most ? In[i] : most;
    least = In[i] < least ? In[i] : least;
  }
  bool isFinite = abs(In[at]) < asfloat(0x7f800000u);
  Out[at] = uint4(asuint(most), asuint(least), asuint(Table[at & 3]),
                  asuint(isFinite ? In[at] : asfloat(0x7fc00000u)));
}
