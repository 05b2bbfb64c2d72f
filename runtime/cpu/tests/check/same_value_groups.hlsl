// All groups set one flag.
RWStructuredBuffer<uint> Out : register(u0);
[numthreads(1, 1, 1)]
void main(uint3 group : SV_GroupID) {
#ifdef DEFECT
  Out[0] = 7;
#else
  Out[group.x] = 7;
#endif
}
