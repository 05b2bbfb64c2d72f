// dxc: -T cs_6_2 -E main -enable-16bit-types
// Native halves from floats and doubles, and as both.
StructuredBuffer<float> In : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  float x = In[id];
  half h = (half)x;
  Out[id * 4] = asuint16(h);
  Out[id * 4 + 1] = asuint16((half)(double)x);
  Out[id * 4 + 2] = asuint((float)h);
  Out[id * 4 + 3] = asuint((float)((double)h * 0.5));
}
