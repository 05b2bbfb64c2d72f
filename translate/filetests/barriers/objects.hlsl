// dxc-newer: -T cs_6_8 -E main
// Barrier on a UAV object, on a heap resource, and with zero flags
//! options = heaps
// check: OpControlBarrier
// check: OpMemoryBarrier
// check: OpControlBarrier
RWTexture2D<float4> img : register(u0);
globallycoherent RWStructuredBuffer<uint> list : register(u1);
cbuffer R : register(b0) { uint slot; };

[numthreads(8, 8, 1)]
void main(uint3 id : SV_DispatchThreadID, uint gi : SV_GroupIndex) {
  RWByteAddressBuffer heap = ResourceDescriptorHeap[slot];
  img[id.xy] = float4(id, gi);
  Barrier(img, GROUP_SYNC | GROUP_SCOPE);
  float4 o = img[id.xy ^ 1];
  list[gi] = (uint)o.x;
  Barrier(list, DEVICE_SCOPE);
  heap.Store(gi * 4, list[gi ^ 3]);
  Barrier(heap, GROUP_SYNC | DEVICE_SCOPE);
  Barrier(UAV_MEMORY, 0);
  img[id.xy] = o + asfloat(heap.Load((gi ^ 5) * 4));
}
