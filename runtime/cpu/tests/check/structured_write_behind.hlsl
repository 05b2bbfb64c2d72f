// The last threads write behind the end of a buffer of 256 elements.
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
#ifdef DEFECT
  Out[id + 8] = id;
#else
  if (id + 8 < 256) Out[id + 8] = id;
#endif
}
