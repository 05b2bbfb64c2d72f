// All groups write one element.
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(1, 1, 1)]
void main(uint3 group : SV_GroupID) {
#ifdef DEFECT
  Out[0] = group.x;
#else
  Out[group.x] = group.x;
#endif
}
