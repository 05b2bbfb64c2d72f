// All groups add to one element.
RWStructuredBuffer<uint> Out : register(u0);

[numthreads(1, 1, 1)]
void main(uint3 group : SV_GroupID) {
#ifdef DEFECT
  Out[0] += group.x + 1;
#else
  InterlockedAdd(Out[0], group.x + 1);
#endif
}
