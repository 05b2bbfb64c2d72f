// dxc: -T cs_6_0 -E main
// Local arrays of resources of one range, indexed in a loop, and passed to a function.
StructuredBuffer<uint> A[6] : register(t0);
RWStructuredBuffer<uint> Out : register(u0);

uint sum(StructuredBuffer<uint> buffers[3], uint at) {
  uint result = 0;
  [unroll] for (uint i = 0; i < 3; ++i) result = result * 100 + buffers[i][at];
  return result;
}

[numthreads(8, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  StructuredBuffer<uint> odd[3] = {A[1], A[3], A[5]};
  StructuredBuffer<uint> even[3] = {A[0], A[2], A[4]};
  uint value;
  if (id & 1) value = sum(odd, id); else value = sum(even, id) + 7;
  Out[id] = value;
}
