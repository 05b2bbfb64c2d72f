// dxc: -T cs_6_0 -E main
// DXC's guard says `begin < end`, its test at the end `i + 1 != end`. The head of the loop has the guard's
// comparison, of the counter.
// count: 1 OpLoopMerge
// count: 0 OpSelectionMerge
// count: 1 OpULessThan
StructuredBuffer<uint> begins : register(t0);
RWStructuredBuffer<uint> sums : register(u0);
[numthreads(64, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  uint sum = 0;
  uint end = begins[id + 1];
  [loop] for (uint i = begins[id]; i < end; ++i) sum = sum * 3 + i;
  sums[id] = sum;
}
