// dxc: -T cs_6_2 -E main -enable-16bit-types
// Integers of 32 and 64 bits as floats of every width.
StructuredBuffer<uint64_t> In : register(t0);
RWStructuredBuffer<float> Floats : register(u0);
RWStructuredBuffer<double> Doubles : register(u1);
RWStructuredBuffer<half> Halves : register(u2);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  uint64_t wide = In[id];
  uint word = (uint)wide;
  uint o = id * 4;
  Floats[o + 0] = (float)word;
  Floats[o + 1] = (float)(int)word;
  Floats[o + 2] = (float)wide;
  Floats[o + 3] = (float)(int64_t)wide;
  Doubles[o + 0] = (double)word;
  Doubles[o + 1] = (double)(int)word;
  Doubles[o + 2] = (double)wide;
  Doubles[o + 3] = (double)(int64_t)wide;
  Halves[id * 2 + 0] = (half)(uint16_t)word;
  Halves[id * 2 + 1] = (half)(int16_t)word;
}
