// dxc: -T cs_6_6 -E main
// Hidden counters of UAVs that come straight from the descriptor heap.
[numthreads(16, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  RWStructuredBuffer<uint> up = ResourceDescriptorHeap[1];
  RWStructuredBuffer<uint2> down = ResourceDescriptorHeap[3];
  AppendStructuredBuffer<uint> odd = ResourceDescriptorHeap[2];
  up[up.IncrementCounter()] = id + 100;
  if (id < 6)
    down[down.DecrementCounter()] = uint2(id, id * id);
  if (id & 1)
    odd.Append(id);
}
