// dxc: -T cs_6_2 -E main -enable-16bit-types
// Division, remainder and shifts where LLVM and SPIR-V leave the answer open: by zero, the one signed overflow,
// amounts beyond the width.
#ifndef T
#define T int
#define U uint
#endif
StructuredBuffer<U> In : register(t0);
RWStructuredBuffer<U> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  U a = In[id * 2], b = In[id * 2 + 1];
  T sa = (T)a, sb = (T)b;
  uint o = id * 7;
  Out[o + 0] = a / b;
  Out[o + 1] = a % b;
  Out[o + 2] = (U)(sa / sb);
  Out[o + 3] = (U)(sa % sb);
  Out[o + 4] = a << b;
  Out[o + 5] = a >> b;
  Out[o + 6] = (U)(sa >> sb);
}
